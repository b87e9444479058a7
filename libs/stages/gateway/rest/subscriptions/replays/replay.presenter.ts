// A replay as the API shows it.
import type { ReplayView } from '../../../../../domain/views/index.ts';
import type { ReplayCountRecord, ReplayRecord } from './replay-record.dto.ts';

export const presentReplay = (replay: ReplayView): ReplayRecord => ({
  id: replay.replayId,
  subscription_id: replay.subscriptionId,
  emitter_id: replay.emitterId,
  only: replay.only,
  rate: replay.rate,
  state: replay.state,
  reason: replay.reason,
  total: replay.total,
  done: replay.delivered,
  failed: replay.parked,
  passed: replay.passed,
  retrying: replay.retrying ?? 0,
  left: replay.total === null ? null : Math.max(0, replay.total - replay.delivered - replay.parked - replay.passed),
  requested_at_ms: replay.requestedAt,
  ended_at_ms: replay.endedAt,
});

export const presentCount = ({ total, first, last }: ReplayView): ReplayCountRecord => ({
  count: total ?? 0,
  first,
  last,
});

/** Why a dry run was cancelled, and what to do about it. */
const uncounted: Readonly<Record<string, string>> = {
  no_such_sequence: 'no event of the subscription has such a sequence number',
  too_many_selected: 'too many of them are parked or failed. Ask for a smaller range',
  too_many_replays: 'too many replays of the subscription wait. Ask again once some have ended',
  webhook_deleted: 'the webhook is deleted',
};

export const uncountedMessage = (reason: string | null): string =>
  `The events cannot be counted: ${uncounted[reason ?? ''] ?? 'the count was cancelled'}.`;
