// View `subscriptions`: each subscription, by workspace, triple, listener and source.
import type { FilterChange } from '../delivery/filter/filter-history.ts';
import type { JsonObject } from '../json.ts';
import type { ListenerEvent, SubscriptionTriple } from '../listener/messages.ts';
import type { View } from './view.ts';

export type SubscriptionView = {
  readonly workspace: string;
  readonly subscriptionId: string;
  readonly emitterId: string;
  readonly listenerId: string;
  /** null: every channel but those that begin with `$`. */
  readonly eventName: string | null;
  /** `tripleText` of the three above. */
  readonly triple: string;
  /** Null: every event matches. */
  readonly filter: JsonObject | null;
  /** Absent: events are sent unchanged. */
  readonly transform?: string;
  /** Epoch ms. */
  readonly createdAt: number;
};

type SubscriptionEvent = Extract<
  ListenerEvent,
  { type: 'SubscriptionCreated' | 'SubscriptionUpdated' | 'SubscriptionDeleted' }
>;

const isSubscriptionEvent = (record: ListenerEvent): record is SubscriptionEvent =>
  record.type === 'SubscriptionCreated' ||
  record.type === 'SubscriptionUpdated' ||
  record.type === 'SubscriptionDeleted';

/** One text for the three, telling "every channel" from the default channel `''`. */
export const tripleText = ({ emitterId, listenerId, eventName }: SubscriptionTriple): string =>
  JSON.stringify([emitterId, listenerId, eventName]);

function applyFilterChange(
  { transform: currentTransform, ...current }: SubscriptionView,
  change: FilterChange,
): SubscriptionView {
  const transform = change.transform === undefined ? currentTransform : change.transform;
  const { filter = current.filter } = change;
  return { ...current, filter, ...(transform === undefined || transform === null ? {} : { transform }) };
}

export const subscriptionsView: View<'listeners', SubscriptionView> = {
  definition: {
    name: 'subscriptions',
    revision: 1,
    indexes: {
      byWorkspace: ['workspace', 'createdAt'],
      byTriple: ['workspace', 'triple', 'createdAt'],
      byListener: ['workspace', 'listenerId', 'createdAt'],
      byEmitter: ['workspace', 'emitterId', 'createdAt'],
    },
  },
  topics: ['listeners'],

  idOf: (record) => (isSubscriptionEvent(record) ? record.data.subscriptionId : undefined),

  removes({ type, workspace, data }) {
    if (type === 'WebhookDeleted') return { index: 'byListener', equals: [workspace, data.webhookId] };
    if (type === 'ListenerGone') return { index: 'byListener', equals: [workspace, data.listenerId] };
    return type === 'EmitterGone' ? { index: 'byEmitter', equals: [workspace, data.emitterId] } : undefined;
  },

  needsCurrent: ({ type }) => type === 'SubscriptionUpdated',

  evolve(current, record) {
    if (record.type === 'SubscriptionUpdated') return current && applyFilterChange(current, record.data);
    if (record.type !== 'SubscriptionCreated') return undefined;
    const { subscriptionId, emitterId, listenerId, eventName } = record.data;
    return {
      workspace: record.workspace,
      subscriptionId,
      emitterId,
      listenerId,
      eventName,
      triple: tripleText(record.data),
      filter: record.data.filter ?? null,
      ...(record.data.transform === undefined ? {} : { transform: record.data.transform }),
      createdAt: record.at,
    };
  },
};
