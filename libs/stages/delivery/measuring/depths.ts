// Reports how many attempts wait, how many are in flight and how many webhooks fail, whenever metrics are collected.
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { FailingWebhooks } from '../failing/failing-webhooks.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { kinds, standings } from '../lanes/reputation.ts';
import type { RetryQuota } from '../quotas/retry-quota.ts';

interface Depths {
  readonly lanes: Lanes;
  readonly retryQuota: RetryQuota;
  readonly failing: FailingWebhooks;
}

export function reportDepths(metrics: Metrics, { lanes, retryQuota, failing }: Depths): void {
  metrics.addReader((setGauge) => {
    for (const kind of kinds) {
      setGauge(families.waitingAttempts, { kind }, lanes.waiting(kind));
      for (const standing of standings) setGauge(families.inFlight, { kind, standing }, lanes.inFlight(standing, kind));
    }
    setGauge(families.waitingRetries, {}, retryQuota.waiting);
    const { webhooks, longestMs } = failing.longFailing;
    setGauge(families.failing, {}, webhooks);
    setGauge(families.failingSeconds, {}, longestMs / 1_000);
  });
}
