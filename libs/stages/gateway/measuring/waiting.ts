// How much waits in a gateway, read when metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Parts } from '../parts/parts.ts';
import type { BodyRoom } from '../http/bodies/body-room.ts';
import type { LargeBodies } from '../http/bodies/large-bodies.ts';

interface Waiting {
  readonly parts: Parts<'replies' | 'publishing' | 'streams'>;
  readonly room: BodyRoom;
  readonly large: LargeBodies;
}

export function showWaiting(metrics: Metrics, { parts, room, large }: Waiting): void {
  metrics.read((put) => {
    put(families.bodyBytes, {}, room.takenBytes);
    put(families.bodies, {}, large.size);
    put(families.calls, {}, parts.replies.waiting);
    put(families.publishes, {}, parts.publishing.waiting);
    put(families.streams, {}, parts.streams.count);
  });
}
