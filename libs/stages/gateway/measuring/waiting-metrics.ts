// Metrics of what waits in a gateway: requests, bodies, calls, publishes and streams, read when metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Parts } from '../parts/parts.ts';
import type { Admission } from '../admission/admission.ts';
import type { LargeBodyParser } from '../http/bodies/large-body-parser.ts';

interface MeasuredParts {
  readonly parts: Parts<'replies' | 'publishing' | 'streams'>;
  readonly admission: Admission;
  readonly largeBodies: LargeBodyParser;
}

export function registerWaitingMetrics(metrics: Metrics, { parts, admission, largeBodies }: MeasuredParts): void {
  metrics.addReader((put) => {
    put(families.waitingRequests, {}, admission.waitingCount);
    put(families.bodyBytes, {}, admission.bodyBytes);
    put(families.waitingBodies, {}, largeBodies.size);
    put(families.waitingCalls, {}, parts.replies.waitingCount);
    put(families.waitingPublishes, {}, parts.publishing.waitingCount);
    put(families.openStreams, {}, parts.streams.count);
  });
}
