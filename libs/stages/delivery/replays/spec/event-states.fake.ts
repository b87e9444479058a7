// Derives the state of each event of a subscription from the records on `deliveries`, to check the counters.
import { timeOfEvent } from '../../../../domain/channel/event-id.ts';
import type { AttemptEvent, CursorCounters, ParkedSpan } from '../../../../domain/delivery/messages.ts';

export interface EventState {
  readonly state: 'failing' | 'delivered' | 'parked' | 'discarded' | 'deleted';
  readonly attempts: number;
}

/** The state of each event by its id, for one source or for all. */
export function eventStatesOf(
  records: readonly { readonly type: string; readonly data: object }[],
  sourceId?: string,
): Map<string, EventState> {
  const states = new Map<string, EventState>();
  for (const record of records as readonly AttemptEvent[]) {
    const { eventId, emitterId } = record.data;
    if (sourceId !== undefined && sourceId !== emitterId) continue;
    const before = states.get(eventId);
    const after = eventStateAfter(before, record);
    if (after !== undefined) states.set(eventId, after);
  }
  return states;
}

/** The next state, as users see it: a replay changes only parked events. */
function eventStateAfter(before: EventState | undefined, record: AttemptEvent): EventState | undefined {
  const { type, data } = record;
  switch (type) {
    case 'DeliveryAttempted':
      if (data.replayId !== undefined)
        return before?.state === 'parked' && data.outcome === 'delivered' ? { ...before, state: 'delivered' } : before;
      if (before?.state === 'discarded' || before?.state === 'deleted') return before;
      return { state: data.outcome === 'delivered' ? 'delivered' : 'failing', attempts: data.attempt };
    case 'DeliveryParked':
      return data.replayId === undefined ? { state: 'parked', attempts: data.attempts } : before;
    case 'DeliveryReopened':
      return { state: 'failing', attempts: data.attempts };
    case 'DeliveryDiscarded':
      return { state: data.by === 'deletion' ? 'deleted' : 'discarded', attempts: data.attempts };
  }
}

/**
 * Checks the counters of one source's cursor against the records. An event that was parked when retention removed it
 * is counted as expired, and stays so even if a replay still delivers it.
 */
export function checkCounters(counters: CursorCounters | undefined, states: ReadonlyMap<string, EventState>): void {
  const { delivered = 0, parked = 0, expired, parkedTimes } = counters ?? {};
  const { expiredBelow: below = 0, spans = [] } = parkedTimes ?? {};
  const all = Array.from(states, ([id, { state }]) => ({ state, isOld: timeOfEvent(id) < below }));
  const count = (state: EventState['state']): number => all.filter((one) => one.state === state).length;
  const young = (state: EventState['state']): number => all.filter((one) => one.state === state && !one.isOld).length;
  const within = (isIn: (span: ParkedSpan) => boolean): number =>
    spans.filter(isIn).reduce((sum, span) => sum + span.count, 0);
  expect(within(() => true)).toBe(parked);
  // Events that were tried again after that, and parked again; of a span that is partly older, some were.
  const least = young('parked') + within(({ to }) => to < below);
  expectWithin(parked, least, Math.min(count('parked'), least + within(({ from, to }) => from < below && to >= below)));
  expectWithin(delivered, young('delivered'), count('delivered'));
  expect(expired?.discarded ?? 0).toBe(count('discarded'));
  const lost = count('parked') + count('delivered') - parked - delivered;
  expectWithin(lost, 0, expired?.retention ?? 0);
  // Events that were deleted before their first attempt have no record.
  expect(count('deleted')).toBeLessThanOrEqual(expired?.deleted ?? 0);
}

function expectWithin(value: number, least: number, most: number): void {
  expect({ value, isLow: value < least, isHigh: value > most }).toEqual({ value, isLow: false, isHigh: false });
}
