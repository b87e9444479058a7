// Records as CloudEvents 1.0 in Kafka's binary mode: the envelope in headers, the data alone as the value.
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../../domain/message.ts';
import { isTombstone, unreadableRecord } from '../../appending/encoding.ts';
import type { EncodedRecord } from '../../appending/encoding.ts';
import type { Headers, OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import { limits } from '../kafka-limits.ts';

/** The append that a record came with: the writer's generation and batch. A request has none. */
export interface AppendTag {
  readonly generation: number;
  readonly batch: number;
}

export function outboundOf(row: EncodedRecord, topic: string, tag?: AppendTag): OutboundRecord {
  const { record } = row;
  return {
    topic,
    partition: row.partition,
    key: row.key,
    value: isTombstone(row.topic, row.record) ? null : dataTextOf(row),
    headers: headersOf(record, row.topic, tag),
    timestamp: String(record.at),
    bytes: row.bytes + limits.recordOverheadBytes,
  };
}

/**
 * The JSON text of the data, cut out of the record's text instead of being made again. encoding.ts writes the fields in
 * a fixed order, so the text before and after the data is as long as the text of these fields alone.
 */
function dataTextOf({ text, record }: EncodedRecord): string {
  if (record.data === undefined) return '';
  const { id, type, version, key, at, workspace, correlationId, causationId, traceparent } = record;
  const lengthBefore = JSON.stringify({ id, type, version, key }).length - '}'.length + ',"data":'.length;
  const lengthAfter = JSON.stringify({ at, workspace, correlationId, causationId, traceparent }).length;
  return text.slice(lengthBefore, text.length - lengthAfter);
}

/** CloudEvents attributes may not be empty: an empty field is left out here, and read back as empty. */
function headersOf(record: LogRecord, topic: TopicName, tag: AppendTag | undefined): Headers {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: record.id,
    ce_type: record.type,
    ce_source: `/wellspring/${topic}`,
    ce_time: new Date(record.at).toISOString(),
    ce_version: String(record.version),
  };
  if (record.workspace !== '') headers['ce_workspace'] = record.workspace;
  if (record.correlationId !== '') headers['ce_correlationid'] = record.correlationId;
  if (record.causationId !== '') headers['ce_causationid'] = record.causationId;
  if (record.traceparent !== undefined) headers['ce_traceparent'] = record.traceparent;
  if (record.actor !== undefined) headers['ce_actor'] = record.actor;
  if (tag !== undefined) headers['ce_append'] = `${tag.generation}/${tag.batch}`;
  return headers;
}

/** Never throws: a message that this log did not write can become an `unreadableRecord` at its place. */
export function recordOf(message: RawMessage, topic: TopicName, partition: number): StoredRecord {
  const text = (name: string): string => message.headers[name]?.toString() ?? '';
  const traceparent = message.headers['ce_traceparent']?.toString();
  const actor = message.headers['ce_actor']?.toString();
  try {
    const value = message.value === null ? '' : message.value.toString();
    return {
      id: text('ce_id'),
      type: text('ce_type'),
      version: Number(text('ce_version')),
      key: message.key === null ? '' : message.key.toString(),
      data: value === '' ? undefined : JSON.parse(value),
      at: atOf(text('ce_time')),
      workspace: text('ce_workspace'),
      correlationId: text('ce_correlationid'),
      causationId: text('ce_causationid'),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(actor === undefined ? {} : { actor }),
      topic,
      partition,
      offset: Number(message.offset),
    };
  } catch {
    return unreadableRecord(topic, partition, Number(message.offset));
  }
}

function atOf(time: string): number {
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw new Error(`ce_time is '${time}'`);
  return at;
}

/** About the size of the record's JSON text, by which pages are measured. */
export function bytesOf({ key, value, headers }: RawMessage): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}
