// A subscription as the API shows it (docs/reference/component-api.md, "Subscriptions as records").
import type { SubscriptionView } from '../../../../domain/views/index.ts';
import { epochSeconds } from '../epoch-seconds.ts';
import type { SubscriptionRecord } from './subscription-record.dto.ts';

export const presentSubscription = (subscription: SubscriptionView): SubscriptionRecord => ({
  id: subscription.subscriptionId,
  emitter_id: subscription.emitterId,
  listener_id: subscription.listenerId,
  event_name: subscription.eventName ?? '',
  filter: subscription.filter,
  transform: subscription.transform ?? null,
  created_at: epochSeconds(subscription.createdAt),
});
