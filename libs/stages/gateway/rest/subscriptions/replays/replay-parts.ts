// Merges the parts of a replay of every source, which has one in each partition, into one replay.
import { eventOrder } from '../../../../../domain/channel/event-id.ts';
import { isEverySource } from '../../../../../domain/delivery/matching.ts';
import { hasEnded } from '../../../../../domain/delivery/replay/replay.ts';
import type { ReplayView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { findOwned } from '../../owned-documents.ts';

/** Undefined: unknown, or of another workspace. */
export async function findReplay(
  parts: Parts<'views' | 'log'>,
  caller: Caller,
  replayId: string,
): Promise<ReplayView | undefined> {
  const replay = await findOwned<ReplayView>(parts, caller, 'replays', replayId);
  return replay && mergeAllParts(parts, replay);
}

/** `first`: the part that has the replay's id. */
export async function mergeAllParts(parts: Parts<'views' | 'log'>, first: ReplayView): Promise<ReplayView> {
  const { partitions } = parts.log;
  if (!isEverySource(first.emitterId) || partitions === 1) return first;
  const others = await parts.views().find('replays', {
    index: 'bySubscription',
    equals: [first.replayId],
    order: 'ascending',
    limit: partitions,
  });
  return mergeParts([first, ...others.map(({ value }) => value as ReplayView)], partitions);
}

function mergeParts(replayParts: readonly [ReplayView, ...ReplayView[]], partitions: number): ReplayView {
  const [first] = replayParts;
  const hasAllParts = replayParts.length >= partitions;
  const ended = hasAllParts && replayParts.every(({ state }) => hasEnded(state));
  const isCounted = hasAllParts && replayParts.every(({ total, state }) => total !== null || hasEnded(state));
  const cancelled = replayParts.find(({ state }) => state === 'cancelled');
  return {
    ...first,
    state: ended ? (cancelled?.state ?? 'done') : replayParts.every(isPending) ? 'pending' : 'running',
    reason: ended ? (cancelled?.reason ?? null) : null,
    endedAt: ended ? Math.max(...replayParts.map(({ endedAt }) => endedAt ?? 0)) : null,
    total: isCounted ? sumOf(replayParts, ({ total }) => total ?? 0) : null,
    first: isCounted ? (eventsOf(replayParts, 'first')[0] ?? null) : null,
    last: isCounted ? (eventsOf(replayParts, 'last').at(-1) ?? null) : null,
    delivered: sumOf(replayParts, ({ delivered }) => delivered),
    parked: sumOf(replayParts, ({ parked }) => parked),
    passed: sumOf(replayParts, ({ passed }) => passed),
    retrying: sumOf(replayParts, ({ retrying }) => retrying ?? 0),
  };
}

const isPending = ({ state }: ReplayView): boolean => state === 'pending';

const sumOf = (replayParts: readonly ReplayView[], countOf: (part: ReplayView) => number): number =>
  replayParts.reduce((sum, part) => sum + countOf(part), 0);

/** The parts' event ids, oldest first. */
function eventsOf(replayParts: readonly ReplayView[], end: 'first' | 'last'): readonly string[] {
  const ids = replayParts.map((part) => part[end]).filter((id) => id !== null);
  return ids.toSorted((a, b) => (eventOrder(a) < eventOrder(b) ? -1 : 1));
}
