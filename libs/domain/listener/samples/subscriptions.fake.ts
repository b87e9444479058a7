// A sample of each record about subscriptions, for the specs that spoil them field by field.
const triple = { emitterId: 'dc_1', listenerId: 'wh_1', eventName: null };
const made = { createdAt: 1, madeBy: { key: 'wh_0', fingerprint: 'f', answeredAt: 1 } };
const subscription = { ...triple, fingerprint: 'f', requestKey: 'wh_0', subscriptionId: 'sub_1' };
const refused = { reason: 'repeated', message: 'm', existingId: 'x' } as const;
const flow = { filter: { a: ['x'] }, transform: '(event) => ({ body: event })' };

export const subscriptionSamples = {
  commands: {
    CreateSubscription: {
      ...subscription,
      start: { by: 'time', value: 1 },
      startsAt: [{ partition: 1, offset: 7 }],
      ...flow,
    },
    UpdateSubscription: { subscriptionId: 'sub_1', ...flow, neededFrom: 1, neededAt: [{ partition: 1, offset: 7 }] },
    DeleteSubscription: triple,
  },
  listeners: {
    SubscriptionCreated: { ...subscription, channelEnds: [0, 7], ...flow },
    SubscriptionCreateRefused: { ...refused, subscriptionId: 'sub_1' },
    SubscriptionUpdated: { subscriptionId: 'sub_1', ...flow, channelEnds: [0, 7] },
    SubscriptionUpdateRefused: { ...refused, subscriptionId: 'sub_1' },
    EmitterGone: { emitterId: 'dc_1' },
    ListenerGone: { listenerId: 'dc_1' },
    SubscriptionDeleted: { ...triple, subscriptionId: 'sub_1', createdAt: 1 },
    SubscriptionDeleteRefused: { ...refused, ...triple },
  },
  subscriptions: {
    SubscriptionDefined: { ...triple, ...made, subscriptionId: 'sub_1', from: 7 },
    FilterDefined: { subscriptionId: 'sub_1', partition: 0, filters: [{ channelEnds: [7], version: 1, ...flow }] },
  },
} as const;
