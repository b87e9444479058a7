// View `webhooks`: the settings of each webhook, never its signing key.
import type { ListenerEvent } from '../listener/messages.ts';
import type { View } from './view.ts';

export type WebhookView = {
  readonly workspace: string;
  readonly webhookId: string;
  readonly userId: string;
  readonly url: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly ordered: boolean;
  readonly retrySchedule: readonly number[] | null;
  readonly active: boolean;
  /** Why it is not active. */
  readonly disabled: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

type WebhookEvent = Extract<ListenerEvent, { type: 'WebhookCreated' | 'WebhookDisabled' | 'WebhookDeleted' }>;

const isAboutOne = (record: ListenerEvent): record is WebhookEvent =>
  record.type === 'WebhookCreated' || record.type === 'WebhookDisabled' || record.type === 'WebhookDeleted';

export const webhooksView: View<'listeners', WebhookView> = {
  definition: { name: 'webhooks', indexes: { byWorkspace: ['workspace', 'createdAt'] } },
  topics: ['listeners'],

  idOf: (record) => (isAboutOne(record) ? record.data.webhookId : undefined),

  needsCurrent: (record) => record.type === 'WebhookDisabled',

  evolve(current, record) {
    if (!isAboutOne(record)) return current;
    switch (record.type) {
      case 'WebhookCreated':
        return {
          workspace: record.workspace,
          webhookId: record.data.webhookId,
          userId: record.data.userId,
          url: record.data.url,
          name: record.data.name,
          description: record.data.description,
          ordered: record.data.ordered,
          retrySchedule: record.data.retrySchedule,
          active: true,
          disabled: null,
          createdAt: record.at,
          updatedAt: record.at,
        };
      case 'WebhookDisabled':
        return current && { ...current, active: false, disabled: record.data.reason, updatedAt: record.at };
      case 'WebhookDeleted':
        return undefined;
    }
  },
};
