// A trigger on its way: what is known of it until its end is on the log.
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
  /** It carries the code, its URL, or what to find it by: no source has this id. */
  readonly bringsCode?: true;
  readonly bytes: number;
  /** Undefined: it is not in memory, and is read back when needed. */
  record: StoredRecord<Trigger> | undefined;
  /** Of a call: when it was first read, by `performance.now`. Absent after it was read back: not known any more. */
  readonly readAt?: number;
  /** How many times in a row it was lost. */
  losses: number;
  /** Set if it cannot be read: it ends with this message; `trigger` is what is known of it. */
  readonly refusal?: { readonly trigger: Trigger; readonly message: string };
}

/** What a trigger holds beside an http request's URL, body and sealed headers. */
export const overheadBytes = 2_048;

export function queued(record: StoredRecord<Trigger>): QueuedTrigger {
  const { sourceId, kind, revision, code, url, find, http, event, emits, asked } = record.data;
  const bringsCode = code !== undefined || url !== undefined || find !== undefined;
  const sealedChars = (http?.sealedHeaders?.$sealed.length ?? 0) + (http?.sealedBody?.$sealed.length ?? 0);
  const httpBytes = http === undefined ? 0 : http.bodyBase64.length + 2 * http.url.length + sealedChars;
  const lane = laneOf(kind);
  const of = { sourceId, workspace: record.workspace, lane, kind, revision };
  const place = { offset: record.offset, ...of, ...(bringsCode ? { bringsCode } : {}), ...readNow(lane) };
  const carriedBytes = jsonBytes(event) + jsonBytes(emits) + (code?.length ?? 0) + (asked?.$sealed.length ?? 0);
  return { ...place, bytes: httpBytes + carriedBytes + overheadBytes, record, losses: 0 };
}

const readNow = (lane: LaneName): Pick<QueuedTrigger, 'readAt'> =>
  lane === 'calls' ? { readAt: performance.now() } : {};

const jsonBytes = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** The trigger without what it brings along. */
export function envelope(record: Trigger): Trigger {
  const { sourceId, kind, revision, hops, channel, replyTo } = record.data;
  const led = { ...(hops === undefined ? {} : { hops }), ...(channel === undefined ? {} : { channel }) };
  const data = { sourceId, kind, revision, ...led, ...(replyTo === undefined ? {} : { replyTo }) };
  const { id, type, version, key, at, workspace, correlationId, causationId } = record;
  return { id, type, version, key, data, at, workspace, correlationId, causationId };
}
