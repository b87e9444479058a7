// What sending needs to know of a listener and of a subscription.
import type { FormerKey } from '../../../domain/definition/messages.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { FixedHeader, SubscriptionTriple, WebhookSettings } from '../../../domain/listener/messages.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { SubscriptionFilters } from '../filters/subscription-filters.ts';

/** What its definition says. */
export interface WebhookDefined extends Pick<WebhookSettings, 'url' | 'ordered' | 'retrySchedule'> {
  readonly workspace: string;
  readonly sealedKey: Sealed;
  /** The keys before it, newest first. */
  readonly formerKeys: readonly FormerKey[];
  readonly timeoutMs: number | undefined;
  /** With `ordered`: an event past its last retry keeps its place. */
  readonly blocks: boolean;
  readonly maxInFlight: number | undefined;
  readonly rateLimit: number | undefined;
  readonly sealedHeaders: readonly FixedHeader[];
  /** Counts the changes of its url and of whether it is active; -1: not defined yet. */
  readonly generation: number;
}

export interface WebhookTarget extends WebhookDefined {
  readonly webhookId: string;
  /** The listener is a source: `webhookId` is the source's id, and events become its triggers. */
  readonly isSource: boolean;
  /** The unsealed signing keys, once the workspace's data key is known. Of another definition they are others. */
  keys: readonly SigningKey[] | undefined;
  /** Those that its owner has sent with each attempt, unsealed with the keys. */
  headers: Readonly<Record<string, string>>;
  /** Until one of the keys is not valid any more, epoch ms. */
  keysUntil: number;
  /** Deleted, disabled, paused or gone: no attempt starts. */
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
  /** Events that it begins with are being looked for: nothing is sent yet. */
  opening: boolean;
}
