// Picks the outputs that are logged for the operator: final failures, with the ids to look them up by.
import type { MessagesOf } from '../../../domain/messages-of.ts';
import type { CheckedTopic } from '../../../domain/record/check-record.ts';
import type { OutgoingOn } from '../../../log/log.ts';

interface Notice {
  readonly message: string;
  readonly details: object;
}

type Message = MessagesOf[CheckedTopic];
type DataOf<Type> = NonNullable<Extract<Message, { readonly type: Type }>['data']>;
type NoticeBuilder<Type> = ((data: DataOf<Type>) => Notice | undefined) | 'never';

/** A new topic, or a new message type on a topic of which some are notable, compiles only after it was added here. */
const noticeBuilders: {
  readonly [Topic in CheckedTopic]: 'never' | { readonly [Type in MessagesOf[Topic]['type']]: NoticeBuilder<Type> };
} = {
  runs: {
    // Only the error's text: the stack is in the run's record.
    RunFinished: (data) =>
      data.outcome === 'failed'
        ? {
            message: 'a run failed',
            details: { ...pick(data, ['sourceId', 'runId', 'kind']), error: data.error?.message },
          }
        : undefined,
  },
  deliveries: {
    DeliveryParked: (data) => ({
      message: 'a delivery is parked',
      details: pick(data, ['subscriptionId', 'webhookId', 'emitterId', 'eventId', 'attempts', 'reason']),
    }),
    // A failed attempt is retried, and the others are what a user asked for.
    DeliveryAttempted: 'never',
    DeliveryDiscarded: 'never',
    DeliveryReopened: 'never',
    EventsFiltered: 'never',
  },
  alerts: {
    AlertRaised: (data) => ({ message: 'an alert was raised', details: pick(data, ['code', 'subject', 'message']) }),
    AlertContinued: 'never',
    AlertEnded: 'never',
  },
  listeners: {
    WebhookDisabled: (data) => ({ message: 'a webhook is disabled', details: pick(data, ['webhookId', 'reason']) }),
    // The sender of a command receives its outcome.
    WebhookCreated: 'never',
    WebhookCreateRefused: 'never',
    WebhookDisableRefused: 'never',
    WebhookDeleted: 'never',
    WebhookDeleteRefused: 'never',
    WebhookUpdated: 'never',
    WebhookUpdateRefused: 'never',
    WebhookKeyRegenerated: 'never',
    WebhookKeyRegenerateRefused: 'never',
    SubscriptionCreated: 'never',
    SubscriptionCreateRefused: 'never',
    SubscriptionUpdated: 'never',
    SubscriptionUpdateRefused: 'never',
    SubscriptionDeleted: 'never',
    SubscriptionDeleteRefused: 'never',
    EmitterGone: 'never',
    ListenerGone: 'never',
  },
  // Requests, the records that follow from them, and the stages' own state.
  commands: 'never',
  triggers: 'never',
  requests: 'never',
  answers: 'never',
  hooks: 'never',
  workspaces: 'never',
  keys: 'never',
  connections: 'never',
  accounts: 'never',
  components: 'never',
  sources: 'never',
  saves: 'never',
  saved: 'never',
  bundles: 'never',
  state: 'never',
  webhooks: 'never',
  subscriptions: 'never',
  cursors: 'never',
  replays: 'never',
  indexes: 'never',
  channels: 'never',
  pending: 'never',
  stores: 'never',
  schedules: 'never',
  retention: 'never',
  checkpoints: 'never',
  trees: 'never',
};

/** Undefined when nothing failed, and for an attempt that will be retried. */
export function noticeOf(outgoing: OutgoingOn): Notice | undefined {
  const ofTopicBuilders = (noticeBuilders as Partial<Record<string, (typeof noticeBuilders)[CheckedTopic]>>)[
    outgoing.topic
  ];
  if (ofTopicBuilders === undefined || ofTopicBuilders === 'never') return undefined;
  const { record } = outgoing;
  if (record.data === undefined || record.data === null) return undefined;
  // Each function is called with the data of its own type.
  const build = (ofTopicBuilders as Partial<Record<string, ((data: unknown) => Notice | undefined) | 'never'>>)[
    record.type
  ];
  return typeof build === 'function' ? build(record.data) : undefined;
}

const pick = <D extends object>(data: D, names: readonly (keyof D & string)[]): object =>
  Object.fromEntries(names.map((name) => [name, data[name]]));
