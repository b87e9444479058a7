// The properties of a listener and of a subscription that sending needs.
import type { FormerKey } from '../../../domain/listener/definition/messages.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { WebhookHeader, SubscriptionTriple, WebhookSettings } from '../../../domain/listener/messages.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { SubscriptionFilters } from '../filters/subscription-filters.ts';

/** The properties from a webhook's definition. */
export interface WebhookDefined extends Pick<WebhookSettings, 'url' | 'ordered' | 'retrySchedule'> {
  readonly workspace: string;
  readonly sealedKey: Sealed;
  /** The keys before `sealedKey`, newest first. */
  readonly formerKeys: readonly FormerKey[];
  readonly timeoutMs: number | undefined;
  /** With `ordered`: an event past its last retry keeps its place. */
  readonly blocks: boolean;
  /** With `ordered`: the pointer to an event's order key; undefined: all events of a source are in one order. */
  readonly orderKey: string | undefined;
  readonly maxInFlight: number | undefined;
  readonly rateLimit: number | undefined;
  readonly sealedHeaders: readonly WebhookHeader[];
  /** Counts changes of the url and of the active state; -1: not defined yet. */
  readonly generation: number;
}

export interface WebhookTarget extends WebhookDefined {
  readonly webhookId: string;
  /** The listener is a source: `webhookId` is the source's id, and events become its triggers. */
  readonly isSource: boolean;
  /** The unsealed signing keys, once the workspace's data key is known. Each definition has a new array. */
  keys: readonly SigningKey[] | undefined;
  /** The owner's headers for each attempt, unsealed together with the keys. */
  headers: Readonly<Record<string, string>>;
  /** When the first of the keys expires, epoch ms. */
  keysUntil: number;
  /** Deleted, disabled, paused or gone: no attempt starts. */
  stopped: boolean;
}

export interface SubscriptionTarget extends SubscriptionTriple {
  readonly subscriptionId: string;
  readonly workspace: string;
  readonly webhook: WebhookTarget;
  /** The filters for its events; undefined: it wants all events. */
  filters?: SubscriptionFilters | undefined;
  /** The subscription was deleted. */
  closed: boolean;
  /** Its first events are still being searched: nothing is sent yet. */
  opening: boolean;
  /** The cursors of replays that have begun. */
  readonly replays?: Iterable<object> | undefined;
  /** Replays might have sent its events below this offset of `channels`; undefined: none has. */
  readonly replayedBelow?: number | undefined;
}
