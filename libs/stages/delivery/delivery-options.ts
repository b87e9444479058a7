// The options of delivery's task in one partition.
import type { Ambient } from '../../domain/ambient.ts';
import type { Semaphore } from '../../primitives/sharing/semaphore.ts';
import type { Transformer } from '../../sandbox/transformer.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { TaskContext } from '../loop/stage.ts';
import type { DeliveryLimits } from './delivery-limits.ts';
import type { FailingWebhooks } from './failing/failing-webhooks.ts';
import type { ScanSlots } from './reading/scan.ts';
import type { Attempts } from './measuring/attempts.ts';
import type { Lanes } from './lanes/lanes.ts';
import type { FullSourceListeners } from './quotas/full-source-listeners.ts';
import type { ReplayQuota } from './quotas/replay-quota.ts';
import type { RetryQuota } from './quotas/retry-quota.ts';

export interface TaskOptions {
  readonly context: TaskContext;
  readonly webhook: Webhook;
  readonly transformer: Transformer;
  readonly ambient: Ambient;
  readonly masterKey: Buffer;
  readonly limits: DeliveryLimits;
  readonly lanes: Lanes;
  readonly attempts: Attempts;
  /** Limits range reads to a few at a time in the process. */
  readonly readSlots: Semaphore;
  /** Limits scans, which read a range once. */
  readonly scanSlots: ScanSlots;
  /** Limits reads for missing parts of the index to one page of one partition at a time. */
  readonly fillSlots: Semaphore;
  readonly retryQuota: RetryQuota;
  readonly replayQuota: ReplayQuota;
  readonly fullSources: FullSourceListeners;
  readonly failing: FailingWebhooks;
  readonly logError: (message: string, details: object) => void;
}
