// View `webhookDays`: the counts of `webhookStats` by hour, a document per day and partition, to read months quickly.
import type { Millis } from '../../message.ts';
import type { Expiry, View, ViewValue } from '../view.ts';
import { attemptsExample, attemptCounts, hourMs, sumOf, type MinuteCounts } from './stats.view.ts';
import { webhookOf } from './webhook-stats.view.ts';

export const dayMs = 24 * hourMs;

export type WebhookDaysView = {
  readonly workspace: string;
  readonly webhookId: string;
  /** Epoch ms of the day's beginning, in UTC. */
  readonly day: Millis;
  /** By the hour of the day; hours without anything are left out. */
  readonly hours: { readonly [hour: string]: MinuteCounts };
};

const sample: WebhookDaysView = {
  workspace: 'o_0000000000000000',
  webhookId: 'wh_0000000000000000',
  day: 1_700_000_000_000,
  hours: { 0: attemptsExample },
};

/** A document is removed as a whole once retention has reached its day; `webhookStats` still has its later hours. */
const expiryByDay: Expiry<ViewValue & { readonly day: Millis }> = {
  index: 'byTime',
  fieldValueAt: (at) => at,
  valueOf: ({ day }) => day,
  timeOf: ({ day }) => day,
};

const dayOf = (at: Millis): Millis => Math.floor(at / dayMs) * dayMs;

export const webhookDaysView: View<'deliveries', WebhookDaysView> = {
  definition: {
    name: 'webhookDays',
    sample: JSON.stringify(sample),
    indexes: { byWebhook: ['webhookId', 'day'], byTime: ['day'] },
  },
  topics: ['deliveries'],

  idOf(record) {
    const webhookId = webhookOf(record);
    const [at] = attemptCounts(record) ?? [];
    return webhookId === undefined || at === undefined ? undefined : `${webhookId}/${record.partition}/${dayOf(at)}`;
  },

  needsCurrent: () => true,

  evolve(current, record) {
    const webhookId = webhookOf(record);
    const [at, counts] = attemptCounts(record) ?? [];
    if (webhookId === undefined || at === undefined || counts === undefined) return current;
    const day = dayOf(at);
    const hour = String(Math.floor((at - day) / hourMs));
    const hours = { ...current?.hours, [hour]: sumOf(current?.hours[hour] ?? {}, counts) };
    return { workspace: record.workspace, webhookId, day, hours };
  },

  expiry: expiryByDay,
};
