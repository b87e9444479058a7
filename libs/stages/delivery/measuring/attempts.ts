// Counts attempts by outcome and by the receiver's standing.
import { isSuccess } from '../../../domain/delivery/retry.ts';
import { families } from '../../loop/measuring/families.ts';
import type { Metrics } from '../../../primitives/metrics/metrics.ts';
import type { Count, Histogram } from '../../../primitives/metrics/series.ts';
import type { AttemptFailure, AttemptOutcome, EndedOutcome } from '../outcomes/outcome.ts';
import { standings } from '../lanes/reputation.ts';
import type { Standing } from '../lanes/reputation.ts';

type Outcome = 'delivered' | 'rejected' | AttemptFailure;

export class Attempts {
  readonly #metrics: Metrics;
  readonly #endedCounts: Readonly<Record<Standing, Map<Outcome, Count>>>;
  readonly #delivered: Histogram;
  readonly #failed: Histogram;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#endedCounts = { answering: new Map(), doubtful: new Map(), silent: new Map() };
    for (const standing of standings) this.#count(standing, 'delivered');
    this.#delivered = metrics.histogram(families.attemptDuration, { outcome: 'delivered' });
    this.#failed = metrics.histogram(families.attemptDuration, { outcome: 'failed' });
  }

  countEnded(standing: Standing, outcome: AttemptOutcome): void {
    if (outcome.kind === 'dropped') return;
    const label = outcomeOf(outcome);
    const count = this.#endedCounts[standing].get(label) ?? this.#count(standing, label);
    count.value++;
    (label === 'delivered' ? this.#delivered : this.#failed).observe(outcome.durationMs / 1_000);
  }

  #count(standing: Standing, outcome: Outcome): Count {
    const count = this.#metrics.count(families.attempts, { outcome, standing });
    this.#endedCounts[standing].set(outcome, count);
    return count;
  }
}

function outcomeOf(outcome: EndedOutcome): Outcome {
  if (outcome.kind === 'failed') return outcome.failure;
  return isSuccess(outcome.status) ? 'delivered' : 'rejected';
}
