// A webhook and a subscription as the delivery stage knows them.
import type { KeyObject } from 'node:crypto';
import type { SubscriptionTriple, WebhookSettings } from '../../../domain/listener/messages.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';

export interface WebhookTarget extends Pick<WebhookSettings, 'url' | 'ordered' | 'retrySchedule'> {
  readonly webhookId: string;
  readonly workspace: string;
  readonly sealedKey: Sealed;
  /** The unsealed signing keys, once the workspace's data key is known. */
  keys: readonly KeyObject[] | undefined;
  /** Deleted, disabled or gone: no attempt starts any more. */
  stopped: boolean;
}

export interface Subscription extends SubscriptionTriple {
  readonly subscriptionId: string;
  readonly workspace: string;
  readonly webhook: WebhookTarget;
  /** Where emitters without a cursor begin; undefined: not known, so nothing may be delivered. */
  base: number | undefined;
  /** By emitter id. */
  readonly cursors: Map<string, EmitterCursor>;
  /** It was deleted. */
  closed: boolean;
}
