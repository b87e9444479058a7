// Prepares a replay: finds its range, its number of events, and which events are deleted or parked.
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../../primitives/backoff.ts';
import type { ReplayEnds } from '../../../domain/delivery/replay/messages.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import type { DeletionFact, Deletions } from '../deletions/deletions.ts';
import type { EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { reread } from '../events/buffer.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { isFilteredOut, filtersKnownFrom } from '../filters/subscription-filters.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { scan } from '../reading/scan.ts';
import type { SharedScans } from '../reading/shared-scans.ts';
import { isEventFor, rangeOf } from './range.ts';
import { ReplayCursor } from '../replay-cursors/replay-cursor.ts';
import type { Replay } from '../replay-cursors/followed-replay.ts';
import { numberedEvent, Selection } from '../replay-cursors/selecting/selection.ts';

/** The clocks of runtime and delivery can differ: the search for records about an event begins this long before it. */
const clocksMs = 10 * 60_000;
/** The time between checks of the tail, which needs some milliseconds per page; a thousand replays can wait for it. */
const tailPoll = { firstMs: 10, longestMs: 250 };

/** A replay that this process follows. */
export interface FollowedReplay extends Replay {
  /** Set once its range is known. */
  cursor?: ReplayCursor;
}

export interface PreparationOptions {
  readonly task: Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots'> & { readonly scans: SharedScans };
  readonly buffer: EventBuffer;
  readonly tailAt: () => number;
  readonly deleted: (fact: DeletionFact) => void;
  readonly deletions: Pick<Deletions, 'isDeleted'>;
  readonly outbox: Pick<Outbox, 'whenWritten'>;
  /** Whether the replay is allowed to remember `count` event numbers. */
  readonly canRemember: (replay: Replay, count: number) => boolean;
  readonly onDue: (cursor: ReplayCursor) => void;
}

export type Prepared = 'ready' | 'no_such_sequence' | 'too_many_selected';

interface EventCount {
  count: number;
  /** The ids of the first and the last event; undefined: there are no events. */
  ends: ReplayEnds | undefined;
}

/** What is known about the events of the range. */
interface RangeEvents extends EventCount {
  /** The time of the first event. */
  at: number | undefined;
  /** The first and the last event of each source; empty unless they are needed to select. */
  readonly sources: Map<string, ReplayEnds>;
  /** Whether some of the events might have been deleted. */
  hasDeletes: boolean;
}

/** Prepares a replay, or continues after a restart: what the replay's record already has is not computed again. */
export async function prepare(
  replay: FollowedReplay,
  subscription: Subscription,
  shouldContinue: () => boolean,
  options: PreparationOptions,
): Promise<Prepared> {
  replay.range ??= (await rangeOf(replay, { task: options.task, subscription, shouldContinue })) ?? null;
  if (replay.range === null) return 'no_such_sequence';
  await waitForTail(replay.range.end, shouldContinue, options);
  if (!shouldContinue()) return 'ready';
  const cursor = createCursor(replay, subscription, replay.range, options);
  const isNew = replay.total === null;
  if (!isNew && !needsSelection(replay, subscription)) {
    if (cursor.isForEverySource) await restoreOpenEvents(cursor, options);
    return 'ready';
  }
  const found = await findEvents(replay, cursor, shouldContinue, options);
  let chosenBelow: number | undefined;
  if (needsSelection(replay, subscription)) {
    const selected = await select(replay, found, shouldContinue, options);
    if (selected === undefined) return 'too_many_selected';
    chosenBelow = selected.chosenBelow;
    cursor.setSelection(selected.selection);
    await restoreOpenEvents(cursor, options);
  }
  // Set together with the total, for one record: after a restart the total must match the same choice.
  replay.chosenBelow = chosenBelow;
  const excludesDeleted = replay.order.dryRun === true && found.hasDeletes;
  const { count, ends } = excludesDeleted ? await countRemaining(replay, cursor, shouldContinue, options) : found;
  const selected = excludesDeleted ? undefined : cursor.selection?.selected;
  if (isNew) Object.assign(replay, selected ?? { total: count, ends });
  return 'ready';
}

/** Waits until the tail has passed the range: before that, a change of the filter might be missed. */
async function waitForTail(
  end: number,
  shouldContinue: () => boolean,
  { task: { context, readSlots }, tailAt }: PreparationOptions,
): Promise<void> {
  const { log, partition } = context;
  const backoff = new Backoff(tailPoll.firstMs, tailPoll.longestMs);
  while (shouldContinue() && tailAt() < end) {
    // The end of a log can be above its last record.
    const read = () => log.read('channels', partition, tailAt(), { recordsMax: 1, bytesMax: 1, to: end });
    const page = await readSlots.run(read);
    if (page.records.length === 0 && page.malformed.length === 0) return;
    await delay(backoff.next());
  }
}

/** Creates the replay's cursor; from then on deletions of events are kept for it too. */
export function createCursor(
  replay: FollowedReplay,
  subscription: Subscription,
  { first, end }: { readonly first: number; readonly end: number },
  { buffer, onDue }: Pick<PreparationOptions, 'buffer' | 'onDue'>,
): ReplayCursor {
  if (replay.cursor !== undefined) return replay.cursor;
  if (replay.position.next < first) replay.position = { ...replay.position, next: first };
  const cursor = new ReplayCursor({ subscription, replay, end, buffer, onDue });
  replay.cursor = cursor;
  subscription.replays ??= new Set();
  subscription.replays.add(cursor);
  return cursor;
}

/** Whether it needs a selection: also if events are parked, as delivering one changes the subscription's counters. */
function needsSelection({ order: { only, emitterId } }: Replay, { cursors }: Subscription): boolean {
  if (only !== 'all') return true;
  const sourceCursors = isEverySource(emitterId) ? (cursors?.values() ?? []) : [cursors?.get(emitterId)];
  for (const cursor of sourceCursors) if ((cursor?.position.counters.parked ?? 0) > 0) return true;
  return false;
}

/** Finds the events of the range; the first time it continues to the tail, to find later deletions. */
async function findEvents(
  replay: Replay,
  cursor: ReplayCursor,
  shouldContinue: () => boolean,
  { task, tailAt, deleted }: PreparationOptions,
): Promise<RangeEvents> {
  const { emitterId } = replay.order;
  const { ownSubscription: subscription } = cursor;
  const end = replay.range?.end ?? 0;
  const to = (): number => (replay.total === null ? Math.max(tailAt(), end) : end);
  const from = Math.min(cursor.position.next, ...cursor.position.open.map(({ offset }) => offset));
  const found: RangeEvents = { count: 0, ends: undefined, at: undefined, sources: new Map(), hasDeletes: false };
  const isSelected = needsSelection(replay, subscription);
  // A replay counts events that it leaves out as given up (`ReplayCursor.queueFromLog`); a dry run omits them.
  const firstSent = (): number => (replay.order.dryRun === true ? filtersKnownFrom(subscription) : 0);
  await task.scans.scan({ emitterId, workspace: subscription.workspace, from, to, shouldContinue }, (record) => {
    if (record.type === 'EventsDeleted') {
      if (record.workspace !== subscription.workspace || !cursor.isFor(record.data.emitterId)) return;
      found.hasDeletes = true;
      deleted(record);
    } else if (
      record.offset < end &&
      record.offset >= firstSent() &&
      isEventFor(subscription, emitterId, record) &&
      !isFilteredOut(subscription, record)
    )
      noteEvent(found, record, isSelected);
  });
  return found;
}

function noteEvent(found: RangeEvents, record: EmittedRecord, isSelected: boolean): void {
  const { emitterId } = record.data;
  countEvent(found, record);
  found.at ??= record.at;
  if (isSelected) found.sources.set(emitterId, extendEnds(found.sources.get(emitterId), record));
}

function countEvent(counted: EventCount, record: EmittedRecord): void {
  counted.count++;
  counted.ends = extendEnds(counted.ends, record);
}

const extendEnds = (ends: ReplayEnds | undefined, { data: { eventId } }: EmittedRecord): ReplayEnds => ({
  first: ends?.first ?? eventId,
  last: eventId,
});

/** Counts the events that would be sent now, without deleted ones; needs all deletions and the selection. */
async function countRemaining(
  replay: Replay,
  { ownSubscription: subscription, position, selection }: ReplayCursor,
  shouldContinue: () => boolean,
  { task, deletions }: PreparationOptions,
): Promise<EventCount> {
  const { emitterId } = replay.order;
  const end = replay.range?.end ?? 0;
  const remaining: EventCount = { count: 0, ends: undefined };
  const { workspace } = subscription;
  const range = { emitterId, workspace, from: position.next, to: () => end, shouldContinue };
  await task.scans.scan(range, (record) => {
    if (!isEventFor(subscription, emitterId, record) || isFilteredOut(subscription, record)) return;
    if (record.offset < filtersKnownFrom(subscription)) return;
    if (!deletions.isDeleted(record.data) && selection?.includes(numberedEvent(record.data)) !== false)
      countEvent(remaining, record);
  });
  return remaining;
}

/** Selects the events to send; after a restart from the same records as before. Undefined: too many to remember. */
async function select(
  replay: Replay,
  { sources, at }: RangeEvents,
  shouldContinue: () => boolean,
  { task, canRemember, outbox }: PreparationOptions,
): Promise<{ readonly selection: Selection; readonly chosenBelow: number | undefined } | undefined> {
  const { subscriptionId, only } = replay.order;
  const { log, partition } = task.context;
  // The cursor is informed of deliveries that end from now on; records of earlier ones might still wait for the log.
  await outbox.whenWritten();
  const end = await log.end('deliveries', partition);
  const chosenBelow = only === 'all' ? undefined : (replay.chosenBelow ?? end);
  const selection = new Selection({ subscriptionId, only, sources });
  if (at === undefined) return { selection, chosenBelow };
  const from = await offsetAt(log, { topic: 'deliveries', partition }, at - clocksMs);
  let fits = true;
  const stillFits = (): boolean => (fits = canRemember(replay, selection.rememberedCount)) && shouldContinue();
  await scan(task, { topic: 'deliveries', from, to: () => end, shouldContinue: stillFits }, (record) => {
    if (record.offset >= (chosenBelow ?? end)) selection.finish();
    selection.apply(record);
  });
  selection.finish();
  return fits && canRemember(replay, selection.rememberedCount) ? { selection, chosenBelow } : undefined;
}

/** Reads the events that were in flight at a restart: the replay's record has only their offsets. */
async function restoreOpenEvents(
  cursor: ReplayCursor,
  { task: { context, readSlots } }: PreparationOptions,
): Promise<void> {
  for (const { offset } of cursor.position.open) {
    const event = await readSlots.run(() => reread(context, offset), cursor.subscription.workspace);
    if (event !== undefined) cursor.noteOpen(event);
  }
}
