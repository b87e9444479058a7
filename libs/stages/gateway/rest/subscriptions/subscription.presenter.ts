// A subscription as the API shows it (component-api.md 1.5).
import type { SubscriptionView } from '../../../../domain/views/index.ts';
import { epochSeconds } from '../seconds.ts';

export interface SubscriptionRecord {
  readonly id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  /** '' for every channel but those that begin with `$`. */
  readonly event_name: string;
  readonly created_at: number;
}

export const presentSubscription = (subscription: SubscriptionView): SubscriptionRecord => ({
  id: subscription.subscriptionId,
  emitter_id: subscription.emitterId,
  listener_id: subscription.listenerId,
  event_name: subscription.eventName ?? '',
  created_at: epochSeconds(subscription.createdAt),
});
