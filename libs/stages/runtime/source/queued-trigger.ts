// A trigger in a queue, as kept in memory until its end is on the log.
import type { Trigger, TriggerKind } from '../../../domain/source/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { laneOf } from './source-state.ts';
import type { LaneName } from './source-state.ts';

export interface QueuedTrigger {
  readonly offset: number;
  readonly sourceId: string;
  readonly workspace: string;
  readonly lane: LaneName;
  readonly kind: TriggerKind;
  readonly revision: number;
  /** The trigger carries code, a URL or a search; `sourceId` is then the id of no source. */
  readonly bringsCode?: true;
  readonly bytes: number;
  /** Undefined: the record is not in memory, and is read from the log when needed. */
  record: StoredRecord<Trigger> | undefined;
  /** Only of calls: when it was first read, by `performance.now`; unknown once it has been read again. */
  readonly readAt?: number;
  /** How many times in a row its invocation was lost. */
  losses: number;
  /** Set if the record cannot be read: it ends with this message; `trigger` has the fields that can be read. */
  readonly refusal?: { readonly trigger: Trigger; readonly message: string };
}

/** The memory of a trigger without the payloads that it carries. */
export const triggerOverheadBytes = 2_048;

export function queuedTriggerOf(record: StoredRecord<Trigger>): QueuedTrigger {
  const { sourceId, kind, revision, code, url, find, http, event, emits, asked } = record.data;
  const bringsCode = code !== undefined || url !== undefined || find !== undefined;
  const sealedChars = (http?.sealedHeaders?.$sealed.length ?? 0) + (http?.sealedBody?.$sealed.length ?? 0);
  const httpBytes = http === undefined ? 0 : http.bodyBase64.length + 2 * http.url.length + sealedChars;
  const lane = laneOf(kind);
  const fields = { sourceId, workspace: record.workspace, lane, kind, revision };
  const queued = { offset: record.offset, ...fields, ...(bringsCode ? { bringsCode } : {}), ...readTimeOf(lane) };
  const carriedBytes = jsonBytes(event) + jsonBytes(emits) + (code?.length ?? 0) + (asked?.$sealed.length ?? 0);
  return { ...queued, bytes: httpBytes + carriedBytes + triggerOverheadBytes, record, losses: 0 };
}

const readTimeOf = (lane: LaneName): Pick<QueuedTrigger, 'readAt'> =>
  lane === 'calls' ? { readAt: performance.now() } : {};

const jsonBytes = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** The trigger without the payloads that it carries. */
export function withoutPayloads(record: Trigger): Trigger {
  const { sourceId, kind, revision, hops, channel, replyTo } = record.data;
  const origin = { ...(hops === undefined ? {} : { hops }), ...(channel === undefined ? {} : { channel }) };
  const data = { sourceId, kind, revision, ...origin, ...(replyTo === undefined ? {} : { replyTo }) };
  const { id, type, version, key, at, workspace, correlationId, causationId } = record;
  return { id, type, version, key, data, at, workspace, correlationId, causationId };
}
