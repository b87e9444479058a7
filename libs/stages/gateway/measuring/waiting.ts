// Metrics of what waits in a gateway: requests, bodies, calls, publishes and streams, read when metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Parts } from '../parts/parts.ts';
import type { Admission } from '../admission/admission.ts';
import type { LargeBodies } from '../http/bodies/large-bodies.ts';

interface Waiting {
  readonly parts: Parts<'replies' | 'publishing' | 'streams'>;
  readonly admission: Admission;
  readonly large: LargeBodies;
}

export function showWaiting(metrics: Metrics, { parts, admission, large }: Waiting): void {
  metrics.read((put) => {
    put(families.begins, {}, admission.waiting);
    put(families.bodyBytes, {}, admission.bodyBytes);
    put(families.bodies, {}, large.size);
    put(families.calls, {}, parts.replies.waiting);
    put(families.publishes, {}, parts.publishing.waiting);
    put(families.streams, {}, parts.streams.count);
  });
}
