// View `replays`: the parameters and the progress of each replay, by subscription.
import { expiredOf } from '../../delivery/cursor.ts';
import type { ReplayEvent, ReplayState } from '../../delivery/replay/messages.ts';
import type { ReplayPosition } from '../../delivery/replay/position.ts';
import type { View } from '../view.ts';

export type ReplayView = {
  readonly workspace: string;
  readonly replayId: string;
  readonly subscriptionId: string;
  /** The subscription's id; of a dry run followed by `/dry`, so that lists leave it out; of a further part the replay's id. */
  readonly listedUnder: string;
  readonly emitterId: string;
  readonly from: PositionView;
  readonly to: PositionView;
  readonly only: string;
  readonly rate: number | null;
  readonly fingerprint: string | null;
  readonly state: ReplayState;
  readonly reason: string | null;
  /** Epoch ms. */
  readonly requestedAt: number;
  readonly endedAt: number | null;
  /** Null: not counted yet. */
  readonly total: number | null;
  /** Event ids; null: not counted yet, or there is none. */
  readonly first: string | null;
  readonly last: string | null;
  readonly delivered: number;
  readonly parked: number;
  /** Deleted, or no longer on the log. */
  readonly passed: number;
  /** Unfinished events whose last attempt failed; absent: none. */
  readonly retrying?: number;
};

type PositionView = { readonly by: ReplayPosition['by']; readonly value: number };

const positionViewOf = ({ by, value }: ReplayPosition): PositionView => ({ by, value });

type Advanced = Extract<ReplayEvent, { type: 'ReplayAdvanced' }>;

function replayDocument({ workspace, key }: Pick<Advanced, 'workspace' | 'key'>, data: Advanced['data']): ReplayView {
  const { delivered, parked } = data.counters;
  const retrying = data.open.filter(({ attempts }) => attempts > 0).length;
  return {
    workspace,
    replayId: data.replayId,
    subscriptionId: data.subscriptionId,
    listedUnder: listedUnder(key, data),
    emitterId: data.emitterId,
    from: positionViewOf(data.from),
    to: positionViewOf(data.to),
    only: data.only,
    rate: data.rate,
    fingerprint: data.fingerprint,
    state: data.state,
    reason: data.reason,
    requestedAt: data.requestedAt,
    endedAt: data.endedAt,
    total: data.total,
    first: data.ends?.first ?? null,
    last: data.ends?.last ?? null,
    delivered,
    parked,
    // What its transform drops is not sent either.
    passed: expiredOf(data.counters) + data.counters.filtered,
    ...(retrying > 0 ? { retrying } : {}),
  };
}

function listedUnder(key: string, { replayId, subscriptionId, dryRun }: Advanced['data']): string {
  if (key !== replayId) return replayId;
  return dryRun === true ? `${subscriptionId}/dry` : subscriptionId;
}

export const replaysView: View<'replays', ReplayView> = {
  definition: { name: 'replays', indexes: { bySubscription: ['listedUnder', 'requestedAt'] } },
  topics: ['replays'],

  idOf: ({ key }) => key,

  needsCurrent: () => false,

  /** A record without data: it is forgotten with its subscription. */
  evolve: (_current, { workspace, key, data }) =>
    data === null || data === undefined ? undefined : replayDocument({ workspace, key }, data),
};
