// The delivery stage: sends emitted events to webhooks, and records each attempt and each cursor's progress on the log.
import type { Ambient } from '../../domain/ambient.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { Semaphore } from '../../primitives/sharing/semaphore.ts';
import type { Transformer } from '../../sandbox/transformer.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { defaultLimits } from './delivery-limits.ts';
import type { DeliveryLimits } from './delivery-limits.ts';
import { Attempts } from './measuring/attempts.ts';
import { FailingWebhooks } from './failing/failing-webhooks.ts';
import { reportDepths } from './measuring/depths.ts';
import { Lanes } from './lanes/lanes.ts';
import { ReplayQuota } from './quotas/replay-quota.ts';
import { FullSourceListeners } from './quotas/full-source-listeners.ts';
import { RetryQuota } from './quotas/retry-quota.ts';
import { DeliveryTask } from './task/delivery-task.ts';

export interface DeliveryStageOptions {
  readonly webhook: Webhook;
  readonly transformer: Transformer;
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** Logs an error that needs attention: a subscription to which nothing can be delivered. */
  readonly logError: (message: string, details: object) => void;
  readonly limits?: Partial<DeliveryLimits>;
  readonly metrics?: Metrics;
}

export class DeliveryStage extends Stage {
  readonly name = 'delivery';
  readonly #options: DeliveryStageOptions;
  readonly #limits: DeliveryLimits;
  readonly #lanes: Lanes;
  readonly #attempts: Attempts;
  readonly #readSlots: Semaphore;
  readonly #scanSlots = { first: new Semaphore(1), further: new Semaphore(1) };
  readonly #fillSlots = new Semaphore(1);
  readonly #retryQuota: RetryQuota;
  readonly #replayQuota: ReplayQuota;
  readonly #fullSources = new FullSourceListeners();
  readonly #failing: FailingWebhooks;

  constructor(options: DeliveryStageOptions) {
    super();
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { metrics = new Metrics() } = options;
    this.#lanes = new Lanes(this.#limits);
    this.#attempts = new Attempts(metrics);
    this.#readSlots = new Semaphore(this.#limits.readsAtOnceMax);
    this.#retryQuota = new RetryQuota(this.#limits);
    this.#replayQuota = new ReplayQuota(this.#limits);
    const { failingMs, failingCheckMs: checkMs } = this.#limits;
    this.#failing = new FailingWebhooks({ now: () => options.ambient.now(), failingMs, checkMs });
    reportDepths(metrics, { lanes: this.#lanes, retryQuota: this.#retryQuota, failing: this.#failing });
  }

  override open(context: TaskContext): Promise<StageTask> {
    const shared = {
      limits: this.#limits,
      lanes: this.#lanes,
      attempts: this.#attempts,
      readSlots: this.#readSlots,
      scanSlots: this.#scanSlots,
      fillSlots: this.#fillSlots,
      retryQuota: this.#retryQuota,
      replayQuota: this.#replayQuota,
      fullSources: this.#fullSources,
      failing: this.#failing,
    };
    return DeliveryTask.open({ ...this.#options, ...shared, context });
  }

  /** Aborts the attempts in flight towards webhooks. */
  override close(): Promise<void> {
    this.#lanes.close();
    this.#fullSources.close();
    this.#failing.close();
    return this.#options.webhook.close();
  }
}
