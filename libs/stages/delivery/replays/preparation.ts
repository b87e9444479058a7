// Prepares a replay: finds its range, its number of events, and which events are deleted or parked.
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../../primitives/backoff.ts';
import type { ReplayEnds } from '../../../domain/delivery/replay/messages.ts';
import { offsetAt } from '../../../log/offset-at.ts';
import type { DeletionFact, Deletions } from '../deletions/deletions.ts';
import type { EmittedRecord, EventBuffer } from '../events/buffer.ts';
import { reread } from '../events/buffer.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { isFilteredOut, keptFrom } from '../filters/subscription-filters.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { scan } from '../reading/scan.ts';
import type { SharedScans } from '../reading/shared-scans.ts';
import { isOf, rangeOf } from './range.ts';
import { ReplayCursor } from '../replay-cursors/replay-cursor.ts';
import type { Replay } from '../replay-cursors/followed-replay.ts';
import { numbered, Selection } from '../replay-cursors/selecting/selection.ts';

/** The clocks of runtime and delivery can differ: the search for records about an event begins this long before it. */
const clocksMs = 10 * 60_000;
/** The time between checks of the tail, which needs some milliseconds per page; a thousand replays can wait for it. */
const tailLook = { firstMs: 10, longestMs: 250 };

/** A replay that this process follows. */
export interface Followed extends Replay {
  /** Set once its range is known. */
  cursor?: ReplayCursor;
}

export interface PreparationOptions {
  readonly task: Pick<TaskOptions, 'context' | 'readSlots' | 'scanSlots'> & { readonly scans: SharedScans };
  readonly buffer: EventBuffer;
  readonly tailAt: () => number;
  readonly deleted: (fact: DeletionFact) => void;
  readonly deletions: Pick<Deletions, 'isDeleted'>;
  readonly outbox: Pick<Outbox, 'written'>;
  /** Whether the replay is allowed to remember `count` event numbers. */
  readonly holds: (replay: Replay, count: number) => boolean;
  readonly due: (cursor: ReplayCursor) => void;
}

export type Prepared = 'ready' | 'no_such_sequence' | 'too_many_selected';

interface Counted {
  count: number;
  /** The ids of the first and the last event; undefined: there are no events. */
  ends: ReplayEnds | undefined;
}

/** What is known about the events of the range. */
interface Found extends Counted {
  /** The time of the first event. */
  at: number | undefined;
  /** The first and the last event of each source; empty unless they are needed to select. */
  readonly sources: Map<string, ReplayEnds>;
  /** Whether some of the events might have been deleted. */
  hasDeletes: boolean;
}

/** Prepares a replay, or continues after a restart: what the replay's record already has is not computed again. */
export async function prepare(
  replay: Followed,
  subscription: Subscription,
  goesOn: () => boolean,
  options: PreparationOptions,
): Promise<Prepared> {
  replay.range ??= (await rangeOf(replay, { task: options.task, subscription, goesOn })) ?? null;
  if (replay.range === null) return 'no_such_sequence';
  await passedByTail(replay.range.end, goesOn, options);
  if (!goesOn()) return 'ready';
  const cursor = placeCursor(replay, subscription, replay.range, options);
  const isNew = replay.total === null;
  if (!isNew && !selects(replay, subscription)) {
    if (cursor.isWide) await noteOpen(cursor, options);
    return 'ready';
  }
  const found = await findEvents(replay, cursor, goesOn, options);
  let chosenBelow: number | undefined;
  if (selects(replay, subscription)) {
    const selected = await select(replay, found, goesOn, options);
    if (selected === undefined) return 'too_many_selected';
    chosenBelow = selected.chosenBelow;
    cursor.select(selected.selection);
    await noteOpen(cursor, options);
  }
  // Set together with the total, for one record: after a restart the total must match the same choice.
  replay.chosenBelow = chosenBelow;
  const isLess = replay.order.dryRun === true && found.hasDeletes;
  const { count, ends } = isLess ? await countLeft(replay, cursor, goesOn, options) : found;
  const counted = isLess ? undefined : cursor.selection?.counted;
  if (isNew) Object.assign(replay, counted ?? { total: count, ends });
  return 'ready';
}

/** Waits until the tail has passed the range: before that, a change of the filter might be missed. */
async function passedByTail(
  end: number,
  goesOn: () => boolean,
  { task: { context, readSlots }, tailAt }: PreparationOptions,
): Promise<void> {
  const { log, partition } = context;
  const backoff = new Backoff(tailLook.firstMs, tailLook.longestMs);
  while (goesOn() && tailAt() < end) {
    // The end of a log can be above its last record.
    const read = () => log.read('channels', partition, tailAt(), { recordsMax: 1, bytesMax: 1, to: end });
    const left = await readSlots.run(read);
    if (left.records.length === 0 && left.malformed.length === 0) return;
    await delay(backoff.next());
  }
}

/** Creates the replay's cursor; from then on deletions of events are kept for it too. */
export function placeCursor(
  replay: Followed,
  subscription: Subscription,
  { first, end }: { readonly first: number; readonly end: number },
  { buffer, due }: Pick<PreparationOptions, 'buffer' | 'due'>,
): ReplayCursor {
  if (replay.cursor !== undefined) return replay.cursor;
  if (replay.position.next < first) replay.position = { ...replay.position, next: first };
  const cursor = new ReplayCursor({ subscription, replay, end, buffer, due });
  replay.cursor = cursor;
  subscription.replays ??= new Set();
  subscription.replays.add(cursor);
  return cursor;
}

/** Whether it needs a selection: also if events are parked, as delivering one changes the subscription's counters. */
function selects({ order: { only, emitterId } }: Replay, { cursors }: Subscription): boolean {
  if (only !== 'all') return true;
  const concerned = isEverySource(emitterId) ? (cursors?.values() ?? []) : [cursors?.get(emitterId)];
  for (const cursor of concerned) if ((cursor?.position.counters.parked ?? 0) > 0) return true;
  return false;
}

/** Finds the events of the range; the first time it continues to the tail, to find later deletions. */
async function findEvents(
  replay: Replay,
  cursor: ReplayCursor,
  goesOn: () => boolean,
  { task, tailAt, deleted }: PreparationOptions,
): Promise<Found> {
  const { emitterId } = replay.order;
  const { own: subscription } = cursor;
  const end = replay.range?.end ?? 0;
  const to = (): number => (replay.total === null ? Math.max(tailAt(), end) : end);
  const from = Math.min(cursor.position.next, ...cursor.position.open.map(({ offset }) => offset));
  const found: Found = { count: 0, ends: undefined, at: undefined, sources: new Map(), hasDeletes: false };
  const isSelected = selects(replay, subscription);
  // A replay counts events that it leaves out as given up (`ReplayCursor.catchUp`); a dry run omits them.
  const sentFrom = (): number => (replay.order.dryRun === true ? keptFrom(subscription) : 0);
  await task.scans.scan({ emitterId, workspace: subscription.workspace, from, to, goesOn }, (record) => {
    if (record.type === 'EventsDeleted') {
      if (record.workspace !== subscription.workspace || !cursor.isFor(record.data.emitterId)) return;
      found.hasDeletes = true;
      deleted(record);
    } else if (
      record.offset < end &&
      record.offset >= sentFrom() &&
      isOf(subscription, emitterId, record) &&
      !isFilteredOut(subscription, record)
    )
      note(found, record, isSelected);
  });
  return found;
}

function note(found: Found, record: EmittedRecord, isSelected: boolean): void {
  const { emitterId } = record.data;
  add(found, record);
  found.at ??= record.at;
  if (isSelected) found.sources.set(emitterId, endsWith(found.sources.get(emitterId), record));
}

function add(counted: Counted, record: EmittedRecord): void {
  counted.count++;
  counted.ends = endsWith(counted.ends, record);
}

const endsWith = (ends: ReplayEnds | undefined, { data: { eventId } }: EmittedRecord): ReplayEnds => ({
  first: ends?.first ?? eventId,
  last: eventId,
});

/** Counts the events that would be sent now, without deleted ones; needs all deletions and the selection. */
async function countLeft(
  replay: Replay,
  { own: subscription, position, selection }: ReplayCursor,
  goesOn: () => boolean,
  { task, deletions }: PreparationOptions,
): Promise<Counted> {
  const { emitterId } = replay.order;
  const end = replay.range?.end ?? 0;
  const left: Counted = { count: 0, ends: undefined };
  const { workspace } = subscription;
  const range = { emitterId, workspace, from: position.next, to: () => end, goesOn };
  await task.scans.scan(range, (record) => {
    if (!isOf(subscription, emitterId, record) || isFilteredOut(subscription, record)) return;
    if (record.offset < keptFrom(subscription)) return;
    if (!deletions.isDeleted(record.data) && selection?.takes(numbered(record.data)) !== false) add(left, record);
  });
  return left;
}

/** Selects the events to send; after a restart from the same records as before. Undefined: too many to remember. */
async function select(
  replay: Replay,
  { sources, at }: Found,
  goesOn: () => boolean,
  { task, holds, outbox }: PreparationOptions,
): Promise<{ readonly selection: Selection; readonly chosenBelow: number | undefined } | undefined> {
  const { subscriptionId, only } = replay.order;
  const { log, partition } = task.context;
  // The cursor is informed of deliveries that end from now on; records of earlier ones might still wait for the log.
  await outbox.written();
  const end = await log.end('deliveries', partition);
  const chosenBelow = only === 'all' ? undefined : (replay.chosenBelow ?? end);
  const selection = new Selection({ subscriptionId, only, sources });
  if (at === undefined) return { selection, chosenBelow };
  const from = await offsetAt(log, { topic: 'deliveries', partition }, at - clocksMs);
  let fits = true;
  const mayGoOn = (): boolean => (fits = holds(replay, selection.held)) && goesOn();
  await scan(task, { topic: 'deliveries', from, to: () => end, goesOn: mayGoOn }, (record) => {
    if (record.offset >= (chosenBelow ?? end)) selection.finish();
    selection.learn(record);
  });
  selection.finish();
  return fits && holds(replay, selection.held) ? { selection, chosenBelow } : undefined;
}

/** Reads the events that were in flight at a restart: the replay's record has only their offsets. */
async function noteOpen(cursor: ReplayCursor, { task: { context, readSlots } }: PreparationOptions): Promise<void> {
  for (const { offset } of cursor.position.open) {
    const event = await readSlots.run(() => reread(context, offset), cursor.subscription.workspace);
    if (event !== undefined) cursor.note(event);
  }
}
