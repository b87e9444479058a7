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
import { showDepths } from './measuring/depths.ts';
import { Lanes } from './lanes/lanes.ts';
import { ReplayRoom } from './rooms/replay-room.ts';
import { FullSourceListeners } from './rooms/full-source-listeners.ts';
import { RetryQuota } from './rooms/retry-quota.ts';
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
  readonly #replayRoom: ReplayRoom;
  readonly #full = new FullSourceListeners();
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
    this.#replayRoom = new ReplayRoom(this.#limits);
    const { failingMs, failingLookMs: lookMs } = this.#limits;
    this.#failing = new FailingWebhooks({ now: () => options.ambient.now(), failingMs, lookMs });
    showDepths(metrics, { lanes: this.#lanes, retryQuota: this.#retryQuota, failing: this.#failing });
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
      replayRoom: this.#replayRoom,
      full: this.#full,
      failing: this.#failing,
    };
    return DeliveryTask.open({ ...this.#options, ...shared, context });
  }

  /** Aborts the attempts in flight towards webhooks. */
  override close(): Promise<void> {
    this.#lanes.close();
    this.#full.close();
    this.#failing.close();
    return this.#options.webhook.close();
  }
}
