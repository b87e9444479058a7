// View `deletions`: which events were deleted. Readers leave these out until the view `events` no longer has them.
import { orderRange } from '../../deletion/order-range.ts';
import type { View } from '../view.ts';

export type DeletionView = {
  readonly workspace: string;
  readonly emitterId: string;
  /** Only this channel; null: every channel except those whose names begin with `$`. */
  readonly channel: string | null;
  /** The range of `EventView.order`: `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
  /** The record's offset: once the views have passed it, none of the events is left. */
  readonly place: number;
  /** Epoch ms. */
  readonly deletedAt: number;
};

export const deletionsView: View<'channels', DeletionView> = {
  definition: {
    name: 'deletions',
    indexes: { byEmitter: ['emitterId', 'place'], byTime: ['deletedAt'] },
    revision: 1,
  },
  topics: ['channels'],

  idOf: ({ type, data, offset }) => (type === 'EventsDeleted' ? `${data.emitterId}/${offset}` : undefined),

  needsCurrent: () => false,

  evolve(_current, { workspace, at, type, data, offset }) {
    if (type !== 'EventsDeleted') return undefined;
    const { emitterId, channel } = data;
    return { workspace, emitterId, channel, ...orderRange(data), place: offset, deletedAt: at };
  },

  expiry: {
    index: 'byTime',
    fieldValueAt: (at) => at,
    valueOf: ({ deletedAt }) => deletedAt,
    timeOf: ({ deletedAt }) => deletedAt,
  },
};
