// How much waits in a gateway, read when metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Gateway } from '../gateway.ts';
import type { BodyRoom } from '../http/bodies/body-room.ts';
import type { LargeBodies } from '../http/bodies/large-bodies.ts';

interface Waiting {
  readonly gateway: Pick<Gateway, 'replies' | 'publishing' | 'streams'>;
  readonly room: BodyRoom;
  readonly large: LargeBodies;
}

export function showWaiting(metrics: Metrics, { gateway, room, large }: Waiting): void {
  metrics.read((put) => {
    put(families.bodyBytes, {}, room.takenBytes);
    put(families.bodies, {}, large.size);
    put(families.calls, {}, gateway.replies.waiting);
    put(families.publishes, {}, gateway.publishing.waiting);
    put(families.streams, {}, gateway.streams.count);
  });
}
