// View `webhooks`: the settings of each webhook, never its signing key.
import type { ListenerEvent, SettingWithDefault } from '../listener/messages.ts';
import { withoutDefaults } from '../listener/webhook/settings.ts';
import type { View } from './view.ts';

export type WebhookView = {
  readonly workspace: string;
  readonly webhookId: string;
  readonly userId: string;
  readonly url: string;
  /** Empty instead of null, because an index needs a text. */
  readonly name: string;
  readonly description: string | null;
  readonly ordered: boolean;
  readonly retrySchedule: readonly number[] | null;
  /** The following fields are absent if they have their default. */
  readonly timeoutMs?: number;
  readonly onExhausted?: 'block';
  readonly orderKey?: string;
  readonly maxInFlight?: number;
  readonly rateLimit?: number;
  /** Names of the headers that are sent with each attempt; absent: none. */
  readonly headers?: readonly string[];
  /** Of the newest key; absent: that is for HMAC. */
  readonly publicKey?: string;
  readonly active: boolean;
  /** Why it is not active, when its owner has not paused it. */
  readonly disabled: string | null;
  /** Epoch ms; absent: it is not paused. */
  readonly pausedAt?: number;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

type WebhookEvent = Extract<
  ListenerEvent,
  { type: 'WebhookCreated' | 'WebhookUpdated' | 'WebhookKeyRegenerated' | 'WebhookDisabled' | 'WebhookDeleted' }
>;

const types: ReadonlySet<string> = new Set<WebhookEvent['type']>([
  'WebhookCreated',
  'WebhookUpdated',
  'WebhookKeyRegenerated',
  'WebhookDisabled',
  'WebhookDeleted',
]);

const isWebhookEvent = (record: ListenerEvent): record is WebhookEvent => types.has(record.type);

export const webhooksView: View<'listeners', WebhookView> = {
  definition: {
    name: 'webhooks',
    revision: 1,
    indexes: {
      byWorkspace: ['workspace', 'createdAt'],
      byName: ['workspace', 'name', 'createdAt'],
      byUrl: ['workspace', 'url', 'createdAt'],
    },
  },
  topics: ['listeners'],

  idOf: (record) => (isWebhookEvent(record) ? record.data.webhookId : undefined),

  needsCurrent: (record) =>
    isWebhookEvent(record) && record.type !== 'WebhookCreated' && record.type !== 'WebhookDeleted',

  evolve(current, record) {
    if (!isWebhookEvent(record)) return current;
    switch (record.type) {
      case 'WebhookCreated':
        return {
          workspace: record.workspace,
          webhookId: record.data.webhookId,
          userId: record.data.userId,
          url: record.data.url,
          name: record.data.name ?? '',
          description: record.data.description,
          ordered: record.data.ordered,
          retrySchedule: record.data.retrySchedule,
          ...nonDefaultsOf(record.data),
          ...headersOf(record.data.headers),
          ...publicKeyOf(record.data),
          active: true,
          disabled: null,
          createdAt: record.at,
          updatedAt: record.at,
        };
      case 'WebhookUpdated':
        return current && applyUpdate(current, record);
      case 'WebhookKeyRegenerated':
        return current && { ...withoutKey(current), ...publicKeyOf(record.data), updatedAt: record.at };
      case 'WebhookDisabled':
        return current && { ...current, active: false, disabled: record.data.reason, updatedAt: record.at };
      case 'WebhookDeleted':
        return undefined;
    }
  },
};

function applyUpdate(view: WebhookView, { data, at }: Extract<WebhookEvent, { type: 'WebhookUpdated' }>): WebhookView {
  const { webhookId: _same, active = view.active, newKey, headers, name = view.name, ...settings } = data;
  const { pausedAt: pausedBefore, headers: headersBefore = [], ...rest } = withoutKey(view);
  const pausedAt = view.active ? at : pausedBefore;
  const keptHeaders = headers?.filter(({ name, value }) => value !== null || headersBefore.includes(name));
  return {
    ...(withoutDefaults({ ...rest, ...settings, name: name ?? '', active, updatedAt: at }) as WebhookView),
    disabled: active ? null : view.disabled,
    ...headersOf(keptHeaders ?? headersBefore.map((name) => ({ name }))),
    ...publicKeyOf(newKey ?? view),
    ...(active || pausedAt === undefined ? {} : { pausedAt }),
  };
}

type WithDefaults = Pick<WebhookView, SettingWithDefault>;

const nonDefaultsOf = ({ timeoutMs, onExhausted, orderKey, maxInFlight, rateLimit }: WithDefaults): WithDefaults => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(onExhausted === undefined ? {} : { onExhausted }),
  ...(orderKey === undefined ? {} : { orderKey }),
  ...(maxInFlight === undefined ? {} : { maxInFlight }),
  ...(rateLimit === undefined ? {} : { rateLimit }),
});

const publicKeyOf = ({ publicKey }: Pick<WebhookView, 'publicKey'>): Pick<WebhookView, 'publicKey'> =>
  publicKey === undefined ? {} : { publicKey };

/** The webhook with another key. */
export const withKeyOf = (
  view: WebhookView,
  { publicKey }: { readonly publicKey: string | undefined },
): WebhookView => ({ ...withoutKey(view), ...(publicKey === undefined ? {} : { publicKey }) });

const headersOf = (headers: readonly { readonly name: string }[] = []): Pick<WebhookView, 'headers'> =>
  headers.length === 0 ? {} : { headers: headers.map(({ name }) => name) };

function withoutKey(view: WebhookView): WebhookView {
  const { publicKey: _former, ...rest } = view;
  return rest;
}
