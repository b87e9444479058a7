// A replay as its task follows it, and its record.
import { cursorAt, type CursorPosition } from '../../../domain/delivery/cursor.ts';
import type {
  ReplayEnds,
  ReplayEvent,
  ReplayOrder,
  ReplayReason,
  ReplayRequest,
  ReplayState,
} from '../../../domain/delivery/replay/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';

type Advanced = Extract<ReplayEvent, { readonly type: 'ReplayAdvanced' }>;

export interface Replay {
  readonly order: ReplayOrder;
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
  /** The position in its record, until a cursor goes on from there. */
  position: CursorPosition;
}

export function newReplay(
  { data, at, workspace, correlationId }: Extract<ReplayRequest, { readonly type: 'ReplayRequested' }>,
  acceptedAt: number,
): Replay {
  return {
    order: data,
    ...{ workspace, correlationId, requestedAt: at, acceptedAt },
    ...{ state: 'pending', reason: null, endedAt: null, range: null, total: null, ends: undefined },
    position: cursorAt(0),
  };
}

export function restoredReplay({ data, workspace, correlationId }: Advanced): Replay {
  const { state, reason, requestedAt, endedAt, acceptedAt, range, total, ends, next, open, counters, ...order } = data;
  return {
    ...{ order, workspace, correlationId, requestedAt, acceptedAt, state, reason, endedAt, range, total, ends },
    position: { epoch: 1, next, open, counters },
  };
}

/** `position`: that of the replay's cursor. */
export function replayAdvanced(replay: Replay, position: CursorPosition, at: Millis): Advanced {
  const { order, workspace, correlationId } = replay;
  const { state, reason, requestedAt, endedAt, acceptedAt, range, total, ends } = replay;
  const { next, open, counters } = position;
  return {
    ...envelope(replay, at, counters.published),
    ...{ type: 'ReplayAdvanced', workspace, correlationId },
    data: {
      ...order,
      ...{ state, reason, requestedAt, endedAt, acceptedAt, range, total },
      ...(ends === undefined ? {} : { ends }),
      // Deliveries that were open when the replay ended are not tried again.
      ...{ next, open: endedAt === null ? open : [], counters },
    },
  };
}

/** The tombstone of the replay's record. */
export function replayForgotten(replay: Replay, at: Millis): MessageOn<'replays'> {
  const { workspace, correlationId } = replay;
  const type = 'ReplayAdvanced';
  return { ...envelope(replay, at, 'forgotten'), type, data: undefined, workspace, correlationId };
}

function envelope({ order: { replayId }, state }: Replay, at: Millis, what: string | number) {
  const id = derivedId('rec', replayId, what, state, at);
  return { id, version: 1, key: replayId, at, causationId: id };
}
