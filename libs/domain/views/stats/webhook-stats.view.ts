// View `webhookStats`: the attempts to each webhook by the minute, a document for each hour and partition.
import { isSourceId } from '../../id.ts';
import type { RecordOn } from '../../messages-of.ts';
import type { View } from '../view.ts';
import { attemptsExample, attemptCounts, hourOf, expiryByHour, addCounts, type StatsView } from './stats.view.ts';

export type WebhookStatsView = StatsView & { readonly webhookId: string };

const sample: WebhookStatsView = {
  workspace: 'o_0000000000000000',
  webhookId: 'wh_0000000000000000',
  hour: 1_700_000_000_000,
  minutes: { 0: attemptsExample },
};

/** Undefined: the record is not about a webhook; sources as listeners run and get no attempts. */
export function webhookOf({ type, data }: RecordOn<'deliveries'>): string | undefined {
  return type === 'EventsFiltered' || isSourceId(data.webhookId) ? undefined : data.webhookId;
}

export const webhookStatsView: View<'deliveries', WebhookStatsView> = {
  definition: {
    name: 'webhookStats',
    sample: JSON.stringify(sample),
    indexes: { byWebhook: ['webhookId', 'hour'], byTime: ['hour'] },
  },
  topics: ['deliveries'],

  idOf(record) {
    const webhookId = webhookOf(record);
    const [at] = attemptCounts(record) ?? [];
    return webhookId === undefined || at === undefined ? undefined : `${webhookId}/${record.partition}/${hourOf(at)}`;
  },

  needsCurrent: () => true,

  evolve(current, record) {
    const webhookId = webhookOf(record);
    const counted = attemptCounts(record);
    if (webhookId === undefined || counted === undefined) return current;
    return { workspace: record.workspace, webhookId, ...addCounts(current, counted) };
  },

  expiry: expiryByHour,
};
