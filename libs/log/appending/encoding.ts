// A record's JSON text, made once at the append: its size is known, and later changes of the input have no effect.
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { topics, type TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { sizes } from '../../domain/sizes.ts';
import { actorOf, originOf } from '../../domain/trace/chain.ts';
import type { Outgoing } from '../log.ts';

/** One record ready to be written. */
export interface EncodedRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly key: string;
  readonly text: string;
  readonly bytes: number;
  /** The record that the text was made from. Unless it is final, read it within the call only: it can change later. */
  readonly record: LogRecord;
  readonly isFinal: boolean;
}

/** A final record that was encoded before its append. */
export class EncodedAhead implements Outgoing {
  readonly isFinal = true;
  readonly encoded: EncodedRecord;

  constructor(encoded: EncodedRecord) {
    this.encoded = encoded;
  }

  get topic(): TopicName {
    return this.encoded.topic;
  }

  get partition(): number {
    return this.encoded.partition;
  }

  get record(): LogRecord {
    return this.encoded.record;
  }
}

/** Whether the record removes all records of its key, itself included. */
export const isTombstone = (topic: TopicName, record: LogRecord): boolean =>
  topics[topic].compacted && record.data === undefined;

/** Throws PortError `too_large` when one record, or all of them together, exceed what sizes.ts allows. */
export function encode(records: readonly Outgoing[]): readonly EncodedRecord[] {
  const encoded = records.map(encodeOne);
  checkTotal(encoded);
  return encoded;
}

/** Throws PortError `too_large` when the records exceed what one append may hold. */
export function checkTotal(encoded: readonly EncodedRecord[]): void {
  const total = encoded.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > sizes.appendBytes)
    throw tooLargeError(`an append of ${encoded.length} records`, total, sizes.appendBytes);
}

/** Throws PortError `too_large` when the record exceeds what sizes.ts allows. */
export function encodeOne(outgoing: Outgoing): EncodedRecord {
  if (outgoing instanceof EncodedAhead) return outgoing.encoded;
  const { topic, partition, record: original, isFinal = false } = outgoing;
  const record = isMarksTopic(topic) ? original : { ...original, ...originOf(original) };
  const text = textOf(record);
  const bytes = Buffer.byteLength(text);
  if (bytes > sizes.recordBytes)
    throw tooLargeError(`the ${record.type} record ${record.id} for ${topic}`, bytes, sizes.recordBytes);
  return { topic, partition, key: record.key, text, bytes, record, isFinal };
}

/** Marks get no trace context: a mark results from everything that was read so far, not from one request. */
const isMarksTopic = (topic: TopicName): boolean => topic.startsWith('marks.');

/** Never throws: a text that is no record becomes an `unreadableRecord` at its place. */
export function decode(text: string, topic: TopicName, partition: number, offset: number): StoredRecord {
  const record = parseJson(text);
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return unreadableRecord(topic, partition, offset);
  const stored = record as { -readonly [Field in keyof StoredRecord]: StoredRecord[Field] };
  const actor = typeof stored.correlationId === 'string' ? actorOf(stored.correlationId) : undefined;
  if (actor !== undefined) stored.actor = actor;
  stored.topic = topic;
  stored.partition = partition;
  stored.offset = offset;
  return stored;
}

/** Stands in for a record that cannot be read. Its type is empty, so that nobody takes it for a real record. */
export const unreadableRecord = (topic: TopicName, partition: number, offset: number): StoredRecord => ({
  id: '',
  type: '',
  version: 0,
  key: '',
  data: undefined,
  at: 0,
  workspace: '',
  correlationId: '',
  causationId: '',
  topic,
  partition,
  offset,
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Copies field by field, so that a record that was read can be appended again without its old place. Omits the actor:
 * `decode` takes it from the correlation id, and a run can emit ten thousand events.
 */
export function textOf(record: LogRecord): string {
  const { id, type, version, key, data, at, workspace, correlationId, causationId, traceparent } = record;
  return JSON.stringify({ id, type, version, key, data, at, workspace, correlationId, causationId, traceparent });
}

function tooLargeError(subject: string, bytes: number, max: number): PortError {
  return new PortError(
    'too_large',
    `${subject} has ${bytes} bytes of JSON, more than the ${max} that fit; nothing was written`,
  );
}
