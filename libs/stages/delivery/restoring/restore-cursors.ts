// Restores the state that a task needs before it continues: listeners, data keys and cursors.
import type { Ambient } from '../../../domain/ambient.ts';
import { fromCursorMoved, subscriptionOfKey } from '../../../domain/delivery/cursor.ts';
import type { CursorPosition } from '../../../domain/delivery/cursor.ts';
import { withParkedTimes } from '../../../domain/delivery/parked/parked.ts';
import type { CursorEvent, OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { Reads } from '../../../domain/flow.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Position } from '../../../log/log.ts';
import { positionKey } from '../../../log/log.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import { isTombstone, readDefinitions } from '../../loop/restoring/definitions.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { EventBuffer } from '../events/buffer.ts';
import { lineState } from '../cursors/by-key/line-records.ts';
import { SubscriptionCursor } from '../cursors/by-key/subscription-cursor.ts';
import { Registry } from '../subscriptions/subscription-registry.ts';
import { cursorsOf, logMissingBase, addCursor, type Subscription } from '../subscriptions/subscription.ts';
import type { KeptDeletion } from '../deletions/deleted-events.ts';
import { deletionsPrefix, keptDeletions } from '../deletions/deletion-records.ts';
import { indexedPrefix, savedSegments, type SavedSegment } from '../indexing/index-records.ts';
import { restoredReplay, type Replay } from '../replay-cursors/followed-replay.ts';
import { orphanTombstones } from '../records/cursor-records.ts';
import { requestPositions } from '../records/request-positions.ts';
import { restoredReportState } from '../outcomes/cursor-report.ts';

export interface Restored {
  readonly registry: Registry;
  readonly keyring: Keyring;
  /** Subscriptions whose first events must be searched: the mark had not passed them, or the search was recorded. */
  readonly opened: readonly Subscription[];
  /** Tombstones for the records of subscriptions that have ended in the meantime. */
  readonly tombstones: readonly MessageOn<'cursors'>[];
  /** Deletions of events that a cursor might not have passed yet. */
  readonly deletions: readonly KeptDeletion[];
  readonly replays: readonly Replay[];
  /** The segments of the index. */
  readonly segments: readonly SavedSegment[];
  /** The offsets to continue reading from. */
  readonly next: {
    readonly webhooks: number;
    readonly subscriptions: number;
    readonly keys: number;
    readonly channels: number;
  };
}

export interface RestoreOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'mark' | 'tolerate' | 'alerts'>;
  readonly masterKey: Buffer;
  readonly buffer: EventBuffer;
  readonly ambient: Pick<Ambient, 'now'>;
  readonly logError: (message: string, details: object) => void;
}

/** The positions from which the task continues reading. */
export const startOf = (
  { next }: Restored,
  partition: number,
  { positions }: TaskContext['mark'],
): readonly Position<Reads<'delivery'>>[] => [
  { topic: 'keys', partition: 0, offset: next.keys },
  { topic: 'webhooks', partition: 0, offset: next.webhooks },
  { topic: 'subscriptions', partition, offset: next.subscriptions },
  { topic: 'channels', partition, offset: next.channels },
  { topic: 'requests', partition, offset: requestPositions({ positions }, partition).taken },
  { topic: 'retention', partition: 0, offset: positions[positionKey('retention', 0)] ?? 0 },
];

/** Throws WrongMasterKeyError if no data key opens, PortError while lifecycle has not written all definitions. */
export async function restore({ context, masterKey, buffer, ambient, logError }: RestoreOptions): Promise<Restored> {
  const { log, partition, mark, tolerate } = context;
  const keyring = new Keyring(masterKey);
  const keys = await forEachRecord(log, { topic: 'keys', partition: 0 }, (record) => void keyring.tryAccept(record));
  checkKeys(keyring, context.alerts);
  const registry = new Registry();
  const wasPassed = await passedByMark(context);
  const webhooks = await readDefinitions(
    log,
    { topic: 'webhooks', partition: 0 },
    {
      take: (record) => tolerate(record, () => registry.apply(record)),
    },
  );
  const opened = new Set<Subscription>();
  const subscriptions = await readDefinitions(
    log,
    { topic: 'subscriptions', partition },
    {
      take: (record) =>
        tolerate(record, () => {
          const change = registry.apply(record);
          if (change?.kind === 'closed') opened.delete(change.subscription);
          if (change?.kind === 'opened' && !wasPassed(record)) opened.add(change.subscription);
        }),
    },
  );
  const { cursors, retries } = await newestCursorRecords(log, partition, registry);
  const deletions = keptDeletions(cursors.get(deletionsPrefix)?.values() ?? []);
  cursors.delete(deletionsPrefix);
  const segments = savedSegments(cursors.get(indexedPrefix)?.values() ?? []);
  cursors.delete(indexedPrefix);
  for (const subscription of registry.subscriptions) {
    restoreFilterChanges(registry, cursors.get(subscription.subscriptionId)?.values() ?? []);
    restoreSubscription(subscription, { cursors, retries }, buffer);
    if (subscription.searchedTo !== undefined) opened.add(subscription);
    if (subscription.base === undefined && !opened.has(subscription)) logMissingBase(subscription, logError);
  }
  const tombstones = [...cursors.values()].flatMap((all) => orphanTombstones(all, partition, ambient.now()));
  endOrphanedAlerts(cursors, context);
  const channels = mark.positions[positionKey('channels', partition)] ?? 0;
  const replays = await newestReplays(log, partition);
  const next = { webhooks, subscriptions, keys, channels };
  return { registry, keyring, opened: [...opened], tombstones, deletions, replays, segments, next };
}

/** Versions without definitions read `listeners` up to their mark: subscriptions named above it were not passed. */
async function passedByMark({
  log,
  partition,
  mark,
}: RestoreOptions['context']): Promise<(record: StoredRecord) => boolean> {
  const passed = mark.positions[positionKey('subscriptions', partition)];
  if (passed !== undefined) return ({ offset }) => offset < passed;
  const listeners = mark.positions[positionKey('listeners', 0)];
  if (listeners === undefined) return () => false;
  const above = new Set<string>();
  await forEachRecord(log, { topic: 'listeners', partition: 0, from: listeners }, ({ key }) => above.add(key));
  return ({ key }) => !above.has(key);
}

type RecordsBySubscription = Map<string, ReadonlyMap<string, CursorEvent>>;
type RetryRecord = Extract<CursorEvent, { readonly type: 'RetryWaiting' }>;

/** A delivery that waits for a retry. */
interface WaitingRetry {
  readonly emitterId: string;
  readonly delivery: OpenDelivery;
}

interface NewestCursorRecords {
  /** The newest record of each key that has no tombstone, by subscription. */
  readonly cursors: RecordsBySubscription;
  /**
   * The waiting retries of the registry's subscriptions, from their records: a hundred thousand records that are kept
   * whole until all are read cost the garbage collector more than to parse them.
   */
  readonly retries: Map<string, ReadonlyMap<string, WaitingRetry>>;
}

async function newestCursorRecords(
  log: Pick<CheckedLog, 'read'>,
  partition: number,
  registry: Registry,
): Promise<NewestCursorRecords> {
  const cursors = new Map<string, Map<string, CursorEvent>>();
  const retries = new Map<string, Map<string, WaitingRetry>>();
  await forEachRecord(log, { topic: 'cursors', partition }, (cursor) => {
    const { key } = cursor;
    const subscriptionId = subscriptionOfKey(key);
    if (cursor.type === 'CursorClosed' || isTombstone(cursor)) {
      forget(cursors, subscriptionId, key);
      forget(retries, subscriptionId, key);
    } else if (cursor.type === 'RetryWaiting' && registry.subscription(subscriptionId) !== undefined)
      keep(retries, subscriptionId, key, waitingRetry(cursor.data));
    else keep(cursors, subscriptionId, key, cursor);
  });
  return { cursors, retries };
}

type ByKey<T> = Map<string, Map<string, T>>;

function keep<T>(all: ByKey<T>, subscriptionId: string, key: string, one: T): void {
  const records = all.get(subscriptionId) ?? new Map<string, T>();
  all.set(subscriptionId, records.set(key, one));
}

function forget<T>(all: ByKey<T>, subscriptionId: string, key: string): void {
  const records = all.get(subscriptionId);
  records?.delete(key);
  if (records?.size === 0) all.delete(subscriptionId);
}

function waitingRetry({ subscriptionId: _, emitterId, ...delivery }: RetryRecord['data']): WaitingRetry {
  return { emitterId, delivery };
}

async function newestReplays(log: Pick<CheckedLog, 'read'>, partition: number): Promise<readonly Replay[]> {
  const last = new Map<string, Replay>();
  await forEachRecord(log, { topic: 'replays', partition }, (record) => {
    if (isTombstone(record)) last.delete(record.key);
    else last.set(record.key, restoredReplay(record));
  });
  return [...last.values()];
}

/** Restores the offsets at which changes of filters apply. */
function restoreFilterChanges(registry: Registry, records: Iterable<CursorEvent>): void {
  for (const { type, data } of records) {
    if (type !== 'FiltersPlaced') continue;
    const { subscriptionId } = data;
    for (const { version, from } of data.places) registry.placeChange({ subscriptionId, version }, from);
  }
}

/** Restores the subscription's cursors, and removes their records from `all`. */
function restoreSubscription(subscription: Subscription, all: NewestCursorRecords, buffer: EventBuffer): void {
  const { subscriptionId } = subscription;
  const records = [...(all.cursors.get(subscriptionId)?.values() ?? [])];
  const retries = [...(all.retries.get(subscriptionId)?.values() ?? [])];
  all.cursors.delete(subscriptionId);
  all.retries.delete(subscriptionId);
  for (const record of records) {
    if (record.type === 'BaseCursorOpened') subscription.isBaseRecorded = true;
    if (record.type === 'OpeningAdvanced') subscription.searchedTo = record.data.next;
    if (record.type !== 'CursorMoved' && record.type !== 'CursorAdvanced') continue;
    const { emitterId, behindFrom } = record.data;
    const position = record.type === 'CursorMoved' ? fromCursorMoved(record.data) : positionOf(record.data, record.at);
    const orderedBy = record.type === 'CursorAdvanced' ? record.data.orderedBy : undefined;
    const cursor = new SubscriptionCursor(subscription, emitterId, { position, behindFrom, buffer, orderedBy });
    if (record.type === 'CursorAdvanced') Object.assign(cursor.reportState, restoredReportState(record.data));
    addCursor(subscription, cursor);
  }
  // In order of sequence, because the oldest is parked first when too many wait.
  retries.sort((a, b) => a.delivery.sequence - b.delivery.sequence);
  for (const { emitterId, delivery } of retries) subscription.cursors?.get(emitterId)?.restoreRetry(delivery);
  for (const record of records)
    if (record.type === 'KeyWaiting')
      subscription.cursors?.get(record.data.emitterId)?.restoreLine(record.data.orderKey, lineState(record.data));
  for (const cursor of cursorsOf(subscription)) cursor.finishRestore();
}

/** Ends alerts of subscriptions that have ended in the meantime and that failed events might have blocked. */
function endOrphanedAlerts(orphans: RecordsBySubscription, { alerts }: Pick<TaskContext, 'alerts'>): void {
  const hasFailed = ({ type, data }: CursorEvent): boolean =>
    type === 'KeyWaiting' || (type === 'CursorAdvanced' && data.open.some(({ attempts }) => attempts > 0));
  for (const [subscriptionId, records] of orphans)
    if ([...records.values()].some(hasFailed)) alerts.end('delivery_blocked', subscriptionId);
}

const positionOf = ({ epoch, next, open, counters }: CursorPosition, at: Millis): CursorPosition => ({
  epoch,
  next,
  open,
  counters: withParkedTimes(counters, at),
});
