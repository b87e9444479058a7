// View `filtered`: how many events a subscription's filter or transform dropped, a document per hour and partition.
import type { Millis } from '../../message.ts';
import type { View } from '../view.ts';
import { hourOf, expiryByHour } from './stats.view.ts';

export type FilteredView = {
  readonly workspace: string;
  readonly subscriptionId: string;
  /** Epoch ms of the hour's beginning. */
  readonly hour: Millis;
  readonly count: number;
};

const sample: FilteredView = {
  workspace: 'o_0000000000000000',
  subscriptionId: 'sub_0000000000000000',
  hour: 1_700_000_000_000,
  count: 10,
};

export const filteredView: View<'deliveries', FilteredView> = {
  definition: {
    name: 'filtered',
    sample: JSON.stringify(sample),
    indexes: { bySubscription: ['subscriptionId', 'hour'], byTime: ['hour'] },
  },
  topics: ['deliveries'],

  idOf: ({ type, data, at, partition }) =>
    type === 'EventsFiltered' ? `${data.subscriptionId}/${partition}/${hourOf(at)}` : undefined,

  needsCurrent: () => true,

  evolve(current, record) {
    if (record.type !== 'EventsFiltered') return current;
    const { workspace, at, data } = record;
    const { subscriptionId, count } = data;
    return { workspace, subscriptionId, hour: hourOf(at), count: (current?.count ?? 0) + count };
  },

  expiry: expiryByHour,
};
