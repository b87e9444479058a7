// A record's JSON text, made once at the append: its size is known, and later changes of the input have no effect.
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { topics, type TopicName } from '../../domain/flow.ts';
import { PortError } from '../../domain/port-error.ts';
import { sizes } from '../../domain/sizes.ts';
import { actorOf, originOf } from '../../domain/trace/chain.ts';
import type { Outgoing } from '../log.ts';

/** One record ready to be written. */
export interface Encoded {
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
  readonly encoded: Encoded;

  constructor(encoded: Encoded) {
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
export function encode(records: readonly Outgoing[]): readonly Encoded[] {
  const encoded = records.map(encodeOne);
  checkTotal(encoded);
  return encoded;
}

/** Throws PortError `too_large` when the records exceed what one append may hold. */
export function checkTotal(encoded: readonly Encoded[]): void {
  const total = encoded.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > sizes.appendBytes) throw tooLarge(`an append of ${encoded.length} records`, total, sizes.appendBytes);
}

/** Throws PortError `too_large` when the record exceeds what sizes.ts allows. */
export function encodeOne(outgoing: Outgoing): Encoded {
  if (outgoing instanceof EncodedAhead) return outgoing.encoded;
  const { topic, partition, record: given, isFinal = false } = outgoing;
  const record = isMark(topic) ? given : { ...given, ...originOf(given) };
  const text = textOf(record);
  const bytes = Buffer.byteLength(text);
  if (bytes > sizes.recordBytes)
    throw tooLarge(`the ${record.type} record ${record.id} for ${topic}`, bytes, sizes.recordBytes);
  return { topic, partition, key: record.key, text, bytes, record, isFinal };
}

/** Marks get no trace context: a mark results from everything that was read so far, not from one request. */
const isMark = (topic: TopicName): boolean => topic.startsWith('marks.');

/** Never throws: a text that is no record becomes an `unreadable` one at its place. */
export function decode(text: string, topic: TopicName, partition: number, offset: number): StoredRecord {
  const record = parsed(text);
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return unreadable(topic, partition, offset);
  const placed = record as { -readonly [Field in keyof StoredRecord]: StoredRecord[Field] };
  const actor = typeof placed.correlationId === 'string' ? actorOf(placed.correlationId) : undefined;
  if (actor !== undefined) placed.actor = actor;
  placed.topic = topic;
  placed.partition = partition;
  placed.offset = offset;
  return placed;
}

/** Stands in for a record that cannot be read. Its type is empty, so that nobody takes it for a real record. */
export const unreadable = (topic: TopicName, partition: number, offset: number): StoredRecord => ({
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

function parsed(text: string): unknown {
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

function tooLarge(what: string, bytes: number, max: number): PortError {
  return new PortError(
    'too_large',
    `${what} has ${bytes} bytes of JSON, more than the ${max} that fit; nothing was written`,
  );
}
