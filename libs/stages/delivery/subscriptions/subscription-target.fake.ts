// A subscription of one webhook, for tests.
import type { SubscriptionTarget, WebhookTarget } from '../targets/target.ts';
import { undefinedTarget } from './redefine.ts';

/** `sub_1` of `wh_1` to `dc_1`, in order, with its webhook ready to receive; `webhook` changes the latter. */
export const subscriptionTo = (webhook: Partial<WebhookTarget> = {}): SubscriptionTarget => ({
  subscriptionId: 'sub_1',
  workspace: 'o_1',
  emitterId: 'dc_1',
  listenerId: 'wh_1',
  eventName: null,
  closed: false,
  opening: false,
  webhook: { ...undefinedTarget('wh_1', 'o_1'), url: 'https://receiver.example/', stopped: false, ...webhook },
});
