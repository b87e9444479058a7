// The line of a record that is signed, whatever stands there: a record that nobody can use is part of history too.
import type { TopicName } from '../flow.ts';
import type { LogRecord, Millis } from '../message.ts';
import type { Leaf } from '../../verifier/leaf.ts';
import { sha256Hex } from '../../verifier/tree/hashes.ts';
import { cloudEventOf } from './cloud-event.ts';

/** The range of a Date, on both sides of 1970. */
const millisMax = 8.64e15;

export interface SignedRecord {
  readonly line: string;
  readonly leaf: Leaf;
}

/** What cannot be read has no time of its own and counts as made in 1970. */
export const signedTime = ({ at }: Pick<LogRecord, 'at'>): Millis =>
  Number.isSafeInteger(at) && Math.abs(at) <= millisMax ? at : 0;

/** Takes any record that the log returns, malformed ones too; never throws. */
export function signedRecord(topic: TopicName, record: LogRecord): SignedRecord {
  const time = signedTime(record);
  const isWhole = time === record.at && typeof record.version === 'number';
  const line = JSON.stringify(cloudEventOf(topic, isWhole ? record : { ...record, at: time, version: 0 }));
  const workspace = workspaceHash(typeof record.workspace === 'string' ? record.workspace : '');
  return { line, leaf: { time, workspace, digest: sha256Hex(line) } };
}

/** Records in a row are mostly of one workspace. */
let last = { workspace: '', hash: sha256Hex('') };

function workspaceHash(workspace: string): string {
  if (workspace !== last.workspace) last = { workspace, hash: sha256Hex(workspace) };
  return last.hash;
}
