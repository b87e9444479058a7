// What became of each event of a subscription, from the records on `deliveries` alone: what the counters must agree with.
import type { AttemptEvent } from '../../../../domain/delivery/messages.ts';

export interface Standing {
  readonly state: 'failing' | 'delivered' | 'parked' | 'discarded' | 'deleted';
  readonly attempts: number;
}

/** By event id; of one source, or of all. */
export function standingsOf(
  records: readonly { readonly type: string; readonly data: object }[],
  sourceId?: string,
): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const record of records as readonly AttemptEvent[]) {
    const { eventId, emitterId } = record.data;
    if (sourceId !== undefined && sourceId !== emitterId) continue;
    const before = standings.get(eventId);
    const after = standingAfter(before, record);
    if (after !== undefined) standings.set(eventId, after);
  }
  return standings;
}

/** As people see it: a replay changes nothing but what is parked. */
function standingAfter(before: Standing | undefined, record: AttemptEvent): Standing | undefined {
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
