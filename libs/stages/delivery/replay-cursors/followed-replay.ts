// A replay as its task follows it, and the replay's record.
import { cursorAt, type CursorPosition } from '../../../domain/delivery/cursor.ts';
import type {
  ReplayEnds,
  ReplayEvent,
  ReplayParams,
  ReplayReason,
  ReplayRequest,
  ReplayState,
} from '../../../domain/delivery/replay/messages.ts';
import { dryRunsKeptMax, endedKeptMax } from '../../../domain/delivery/replay/replay.ts';
import { replayKey } from '../../../domain/delivery/replay/parts.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';

export type ReplayRequested = Extract<ReplayRequest, { readonly type: 'ReplayRequested' }>;
type Advanced = Extract<ReplayEvent, { readonly type: 'ReplayAdvanced' }>;

export interface Replay {
  readonly order: ReplayParams;
  readonly workspace: string;
  readonly correlationId: string;
  readonly requestedAt: Millis;
  /** The end of `channels` when the request was taken: the offset that `now` means. */
  readonly acceptedAt: number;
  state: ReplayState;
  reason: ReplayReason | null;
  endedAt: Millis | null;
  range: { readonly first: number; readonly end: number } | null;
  /** Null: not counted yet, and nothing has been sent. */
  total: number | null;
  /** Undefined: not counted yet, or there are no events. */
  ends: ReplayEnds | undefined;
  /** Records of `deliveries` below it choose its events, also after a restart; undefined: not yet, or all are sent. */
  chosenBelow: number | undefined;
  /** The position in its record, until a cursor continues from there. */
  position: CursorPosition;
}

export function newReplay(
  { data: { formerId: _none, ...order }, at, workspace, correlationId }: ReplayRequested,
  acceptedAt: number,
): Replay {
  return {
    order,
    workspace,
    correlationId,
    requestedAt: at,
    acceptedAt,
    state: 'pending',
    reason: null,
    endedAt: null,
    range: null,
    total: null,
    ends: undefined,
    chosenBelow: undefined,
    position: cursorAt(0),
  };
}

export function restoredReplay({ data, workspace, correlationId }: Advanced): Replay {
  const { state, reason, requestedAt, endedAt, acceptedAt, range, total, ends, chosenBelow, ...others } = data;
  const { next, open, counters, ...order } = others;
  return {
    order,
    workspace,
    correlationId,
    requestedAt,
    acceptedAt,
    state,
    reason,
    endedAt,
    range,
    total,
    ends,
    chosenBelow,
    position: { epoch: 1, next, open, counters },
  };
}

/** The replay's record; `position`: that of its cursor. */
export function replayAdvanced(replay: Replay, position: CursorPosition, at: Millis): Advanced {
  const { order, workspace, correlationId } = replay;
  const { state, reason, requestedAt, endedAt, acceptedAt, range, total, ends, chosenBelow } = replay;
  const { next, open, counters } = position;
  const type = 'ReplayAdvanced';
  const data = {
    ...order,
    state,
    reason,
    requestedAt,
    endedAt,
    acceptedAt,
    range,
    total,
    ...(ends === undefined ? {} : { ends }),
    ...(chosenBelow === undefined ? {} : { chosenBelow }),
    // Deliveries that were open when the replay ended are not tried again.
    next,
    open: endedAt === null ? open : [],
    counters,
  };
  const version = versionOf({ type, data });
  return { ...envelope(replay, at, counters.published), version, type, workspace, correlationId, data };
}

/**
 * A subscription's ended replays to forget. Dry runs are counted separately, and so are parts, in
 * the order of their requests, so that the parts of one replay are forgotten together.
 */
export function outdatedReplays<R extends Replay>(ended: readonly R[]): readonly R[] {
  const kinds = Map.groupBy(ended, ({ order }) => `${order.dryRun === true} ${order.part !== undefined}`);
  return [...kinds.values()].flatMap((kind) => {
    const order = kind[0]?.order;
    const since = (one: R): Millis => (one.order.part === undefined ? (one.endedAt ?? 0) : one.requestedAt);
    const keptMax = order?.dryRun === true ? dryRunsKeptMax : endedKeptMax;
    return kind.toSorted((a, b) => since(a) - since(b)).slice(0, -keptMax);
  });
}

/** The tombstone of the replay's record. */
export function replayForgotten(replay: Replay, at: Millis): MessageOn<'replays'> {
  const { workspace, correlationId } = replay;
  const type = 'ReplayAdvanced';
  return { ...envelope(replay, at, 'forgotten'), type, data: undefined, workspace, correlationId };
}

function envelope({ order, state }: Replay, at: Millis, what: string | number) {
  const key = replayKey(order);
  const id = derivedId('rec', key, what, state, at);
  return { id, version: 1, key, at, causationId: id };
}
