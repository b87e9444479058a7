// Makes the line of a record that is signed, also of malformed records: they are part of the history too.
import type { TopicName } from '../flow.ts';
import { millisMax } from '../message.ts';
import type { LogRecord, Millis } from '../message.ts';
import type { Leaf } from '../../verifier/leaf.ts';
import { sha256Hex } from '../../verifier/tree/hashes.ts';
import { cloudEventOf } from './cloud-event.ts';

export interface SignedRecord {
  readonly line: string;
  readonly leaf: Leaf;
}

/** The record's time; 0 (1970) if it is not a valid time. */
const signedTime = ({ at }: Pick<LogRecord, 'at'>): Millis =>
  Number.isSafeInteger(at) && Math.abs(at) <= millisMax ? at : 0;

const isReadable = (record: LogRecord): boolean =>
  signedTime(record) === record.at && typeof record.version === 'number' && typeof record.correlationId === 'string';

/** Other programs might write any values to the log: invalid fields are signed as if they were empty. */
const withReadableFields = (record: LogRecord, at: Millis): LogRecord => ({
  ...record,
  at,
  version: typeof record.version === 'number' ? record.version : 0,
  correlationId: typeof record.correlationId === 'string' ? record.correlationId : '',
});

/**
 * Replaces a record that cannot be written as JSON, for example because it is nested too deep: only its existence is
 * signed.
 */
const placeholderRecord = (at: Millis): LogRecord => ({
  id: '',
  type: '',
  version: 0,
  key: '',
  data: undefined,
  at,
  workspace: '',
  correlationId: '',
  causationId: '',
});

function lineOf(topic: TopicName, record: LogRecord): string {
  try {
    return JSON.stringify(cloudEventOf(topic, record));
  } catch {
    return JSON.stringify(cloudEventOf(topic, placeholderRecord(record.at)));
  }
}

/** Accepts any record that the log returns, also malformed ones; never throws. */
export function signedRecord(topic: TopicName, record: LogRecord): SignedRecord {
  const time = signedTime(record);
  const line = lineOf(topic, isReadable(record) ? record : withReadableFields(record, time));
  const workspace = workspaceHash(typeof record.workspace === 'string' ? record.workspace : '');
  return { line, leaf: { time, workspace, digest: sha256Hex(line) } };
}

/** Caches the last hash: successive records are mostly of the same workspace. */
let cached = { workspace: '', hash: sha256Hex('') };

function workspaceHash(workspace: string): string {
  if (workspace !== cached.workspace) cached = { workspace, hash: sha256Hex(workspace) };
  return cached.hash;
}
