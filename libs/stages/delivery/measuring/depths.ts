// How many attempts wait and how many are in flight, read when metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { kinds, standings } from '../lanes/reputation.ts';
import type { WaitingRoom } from '../rooms/waiting-room.ts';

export function showDepths(metrics: Metrics, lanes: Lanes, room: WaitingRoom): void {
  metrics.read((put) => {
    for (const kind of kinds) {
      put(families.turns, { kind }, lanes.waiting(kind));
      for (const standing of standings) put(families.inFlight, { kind, standing }, lanes.inFlight(standing, kind));
    }
    put(families.retries, {}, room.size);
  });
}
