// A listener and a subscription as far as sending to them goes.
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { SubscriptionTriple, WebhookSettings } from '../../../domain/listener/messages.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';

export interface WebhookTarget extends Pick<WebhookSettings, 'url' | 'ordered' | 'retrySchedule'> {
  readonly webhookId: string;
  /** It is a source that listens: its id is that source's, and its events become triggers. */
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
  /** It was deleted. */
  closed: boolean;
}
