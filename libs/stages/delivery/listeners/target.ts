// What sending needs to know of a listener and of a subscription.
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { SubscriptionTriple, WebhookSettings } from '../../../domain/listener/messages.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { SubscriptionFilters } from '../filters/subscription-filters.ts';

export interface WebhookTarget extends Pick<WebhookSettings, 'url' | 'ordered' | 'retrySchedule'> {
  readonly webhookId: string;
  /** The listener is a source: `webhookId` is the source's id, and events become its triggers. */
  readonly isSource: boolean;
  readonly workspace: string;
  readonly sealedKey: Sealed;
  /** The unsealed signing keys, once the workspace's data key is known. */
  keys: readonly SigningKey[] | undefined;
  /** Deleted, disabled or gone: no attempt starts any more. */
  stopped: boolean;
}

export interface SubscriptionTarget extends SubscriptionTriple {
  readonly subscriptionId: string;
  readonly workspace: string;
  readonly webhook: WebhookTarget;
  /** Which of its events it wants; undefined: all. */
  filters?: SubscriptionFilters | undefined;
  /** It was deleted. */
  closed: boolean;
}
