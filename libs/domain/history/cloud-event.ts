// Converts a record to a CloudEvent, the JSON form that is signed and that auditors read (decision 0056).
import type { TopicName } from '../flow.ts';
import type { LogRecord } from '../message.ts';
import { chainIdOf } from '../trace/chain.ts';
import { isoTime } from './iso-time.ts';

/** The attributes are those of the Kafka headers (docs/topics.md); `partitionkey` is the record's key. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** ISO 8601, to the millisecond. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly partitionkey: string;
  readonly version: string;
  readonly workspace: string;
  /** Only the id: actor and trace are separate attributes. */
  readonly correlationid: string;
  readonly causationid: string;
  readonly traceparent?: string | undefined;
  /** Who began the chain: an API key's id or a stage. Absent in records of earlier versions. */
  readonly actor?: string | undefined;
  readonly data: unknown;
}

/** Its JSON text is signed, so the order of the attributes must not change. JSON leaves out undefined attributes. */
export const cloudEventOf = (topic: TopicName, record: LogRecord): CloudEvent => ({
  specversion: '1.0',
  id: record.id,
  source: `/wellspring/${topic}`,
  type: record.type,
  time: isoTime(record.at),
  datacontenttype: 'application/json',
  partitionkey: record.key,
  version: String(record.version),
  workspace: record.workspace,
  // Malformed records are signed too, and can hold any value here.
  correlationid: typeof record.correlationId === 'string' ? chainIdOf(record.correlationId) : record.correlationId,
  causationid: record.causationId,
  traceparent: record.traceparent,
  actor: record.actor,
  data: record.data,
});
