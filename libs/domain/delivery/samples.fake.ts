// One well-formed record of every message about attempts and replays, with every optional field.
const order = {
  ...{ replayId: 'rpl_1', subscriptionId: 'sub_1', emitterId: 'dc_1', rate: 10, fingerprint: 'f' },
  part: { partition: 0, of: 1 },
  only: 'failed',
  dryRun: true,
  from: { by: 'sequence', value: 1 },
  to: { by: 'now', value: 0 },
} as const;

const target = {
  ...{ subscriptionId: 'sub_1', webhookId: 'wh_1', emitterId: 'dc_1', eventId: '1-0', channel: '' },
  webhookMessageId: 'msg_1',
};

const about = {
  ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', eventId: '1-0', channel: '', offset: 1 },
  seen: { isParked: true, attempts: 10, below: 5, channelsBelow: 7 },
};

export const deliverySamples = {
  deliveries: {
    DeliveryAttempted: {
      outcome: 'failed',
      ...{ ...target, attempt: 1, status: 500, failure: null, message: null, answer: 'no' },
      ...{ startedAt: 1, durationMs: 2, nextAttemptAt: 3, replayId: 'rpl_1' },
      trace: { address: '192.0.2.1:443', dnsMs: 1, connectMs: 1.5, tlsMs: 2, firstByteMs: 3, totalMs: 9 },
      requestHeaders: { 'webhook-id': 'msg_1' },
      answerHeaders: { server: 'x', 'set-cookie': ['a=1', 'b=2'] },
    },
    DeliveryParked: { ...target, attempts: 10, reason: 'attempts_exhausted', replayId: 'rpl_1' },
    EventsFiltered: { subscriptionId: 'sub_1', emitterId: 'dc_1', count: 3 },
    DeliveryReopened: { ...target, attempts: 10 },
    DeliveryDiscarded: { ...target, attempts: 10, by: 'transform' },
  },
  requests: {
    ReplayRequested: order,
    DeliveryRetryRequested: about,
    DeliveryDiscardRequested: about,
    WebhookTestRequested: { webhookId: 'wh_1', replyTo: 'gw_1' },
    TransformTrialRequested: {
      ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', replyTo: 'gw_1', transform: '() => null' },
      on: {
        event: { a: 1 },
        metadata: {
          ...{ event_id: '1-0', event_name: '', emitter_id: 'dc_1', subscription_id: 'sub_1', emitted_at_ms: 1 },
        },
      },
    },
    ReplayCancelRequested: {
      ...{ replayId: 'rpl_1', subscriptionId: 'sub_1', emitterId: 'dc_1' },
      part: { partition: 0, of: 1 },
    },
  },
  indexes: { IndexPartSaved: { from: 0, to: 9, events: { dc_1: [0, 2] }, deletions: { dc_1: [5] } } },
  replays: {
    ReplayAdvanced: {
      ...order,
      state: 'cancelled',
      reason: 'requested',
      ...{ requestedAt: 1, endedAt: 2, acceptedAt: 9 },
      ...{ range: { first: 0, end: 9 }, total: 3, next: 1, ends: { first: '1-0', last: '1-2' } },
      open: [{ offset: 0, sequence: 1, attempts: 1, dueAt: 1, waitMs: 1 }],
      counters: { published: 1, delivered: 0, parked: 0, filtered: 0, expired: { gone: 0, retention: 0, deleted: 0 } },
    },
  },
} as const;
