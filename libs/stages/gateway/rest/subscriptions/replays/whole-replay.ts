// Merges the parts of a replay of every source, which has one in each partition, into one replay.
import { eventOrder } from '../../../../../domain/channel/event-id.ts';
import { isEverySource } from '../../../../../domain/delivery/matching.ts';
import { hasEnded } from '../../../../../domain/delivery/replay/replay.ts';
import type { ReplayView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { findOwned } from '../../owned.ts';

/** Undefined: unknown, or of another workspace. */
export async function findReplay(
  parts: Parts<'views' | 'log'>,
  caller: Caller,
  replayId: string,
): Promise<ReplayView | undefined> {
  const replay = await findOwned<ReplayView>(parts, caller, 'replays', replayId);
  return replay && wholeReplay(parts, replay);
}

/** `first`: the part that has the replay's id. */
export async function wholeReplay(parts: Parts<'views' | 'log'>, first: ReplayView): Promise<ReplayView> {
  const { partitions } = parts.log;
  if (!isEverySource(first.emitterId) || partitions === 1) return first;
  const others = await parts.views().find('replays', {
    index: 'bySubscription',
    equals: [first.replayId],
    order: 'ascending',
    limit: partitions,
  });
  return merged([first, ...others.map(({ value }) => value as ReplayView)], partitions);
}

function merged(parts: readonly [ReplayView, ...ReplayView[]], partitions: number): ReplayView {
  const [first] = parts;
  const isAll = parts.length >= partitions;
  const ended = isAll && parts.every(({ state }) => hasEnded(state));
  const isCounted = isAll && parts.every(({ total, state }) => total !== null || hasEnded(state));
  const cancelled = parts.find(({ state }) => state === 'cancelled');
  return {
    ...first,
    state: ended ? (cancelled?.state ?? 'done') : parts.every(isPending) ? 'pending' : 'running',
    reason: ended ? (cancelled?.reason ?? null) : null,
    endedAt: ended ? Math.max(...parts.map(({ endedAt }) => endedAt ?? 0)) : null,
    total: isCounted ? sumOf(parts, ({ total }) => total ?? 0) : null,
    first: isCounted ? (eventsOf(parts, 'first')[0] ?? null) : null,
    last: isCounted ? (eventsOf(parts, 'last').at(-1) ?? null) : null,
    delivered: sumOf(parts, ({ delivered }) => delivered),
    parked: sumOf(parts, ({ parked }) => parked),
    passed: sumOf(parts, ({ passed }) => passed),
    retrying: sumOf(parts, ({ retrying }) => retrying ?? 0),
  };
}

const isPending = ({ state }: ReplayView): boolean => state === 'pending';

const sumOf = (parts: readonly ReplayView[], countOf: (part: ReplayView) => number): number =>
  parts.reduce((sum, part) => sum + countOf(part), 0);

/** The parts' event ids, oldest first. */
function eventsOf(parts: readonly ReplayView[], end: 'first' | 'last'): readonly string[] {
  const ids = parts.map((part) => part[end]).filter((id) => id !== null);
  return ids.toSorted((a, b) => (eventOrder(a) < eventOrder(b) ? -1 : 1));
}
