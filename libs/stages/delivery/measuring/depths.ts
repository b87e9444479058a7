// Reports how many attempts wait, how many are in flight and how many webhooks fail, whenever metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { FailingWebhooks } from '../failing/failing-webhooks.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { kinds, standings } from '../lanes/reputation.ts';
import type { RetryQuota } from '../rooms/retry-quota.ts';

interface Depths {
  readonly lanes: Lanes;
  readonly retryQuota: RetryQuota;
  readonly failing: FailingWebhooks;
}

export function showDepths(metrics: Metrics, { lanes, retryQuota, failing }: Depths): void {
  metrics.read((put) => {
    for (const kind of kinds) {
      put(families.turns, { kind }, lanes.waiting(kind));
      for (const standing of standings) put(families.inFlight, { kind, standing }, lanes.inFlight(standing, kind));
    }
    put(families.retries, {}, retryQuota.waiting);
    const { webhooks, longestMs } = failing.long;
    put(families.failing, {}, webhooks);
    put(families.failingSeconds, {}, longestMs / 1_000);
  });
}
