// Turns a position in a request into one that other stages can find on the log without the views.
import { partitionOf } from '../../../../../domain/flow.ts';
import { matchesChannel } from '../../../../../domain/delivery/matching.ts';
import type { ReplayPosition } from '../../../../../domain/delivery/replay/position.ts';
import { eventKey, type EventView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { unavailable } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { PositionInput } from '../../../http/pages/position.ts';
import type { ViewDocument } from '../../../../../view-store/view-store.ts';
import { waitForCheckpoint } from '../../../../../view-store/wait-for-checkpoint.ts';

/** A client's clock can be this far ahead. */
const aheadMaxMs = 60_000;

export interface PositionContext {
  /** The request's field that a refusal names. */
  readonly field: 'start' | 'from' | 'to';
  /** The id of one source. */
  readonly emitterId: string;
  readonly eventName: string | null;
}

/**
 * Throws ApiProblem 400 for a start in the future, and for an event that does not exist or is not for the
 * subscription; 503 while the views lag too far to tell.
 */
export async function resolvePosition(
  parts: Parts<'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  input: PositionInput,
  context: PositionContext,
): Promise<ReplayPosition> {
  if (typeof input === 'string') return { by: input, value: 0 };
  const { field, emitterId, eventName } = context;
  if ('time' in input) {
    if (field !== 'to' && input.time > parts.ambient.now() + aheadMaxMs)
      throw problemsOf([{ field, message: `${field}: time is in the future: give one in the past, in milliseconds` }]);
    return { by: 'time', value: input.time };
  }
  if ('sequence' in input) return { by: 'sequence', value: input.sequence };
  const found = await findEvent(parts, emitterId, input.event_id);
  const event = found?.value as EventView | undefined;
  if (found === undefined || event?.workspace !== caller.workspace)
    throw problemsOf([{ field, message: `${field}: there is no event ${input.event_id} of ${emitterId}` }]);
  if (!matchesChannel(eventName, event.channel))
    throw problemsOf([
      { field, message: `${field}: event ${input.event_id} is on a channel that is not subscribed to` },
    ]);
  return { by: 'event', value: found.version };
}

/** Finds an event that was emitted just now, too: looks at the views again once they have passed it. */
async function findEvent(
  { views, log, limits }: Parts<'views' | 'log' | 'limits'>,
  emitterId: string,
  eventId: string,
): Promise<ViewDocument | undefined> {
  const read = (): Promise<ViewDocument | undefined> => views().get('events', eventKey(emitterId, eventId));
  const found = await read();
  if (found !== undefined) return found;
  const partition = partitionOf(emitterId, log.partitions);
  const end = await log.end('channels', partition);
  const last = { topic: 'channels', partition, offset: end - 1 } as const;
  const isShown = await waitForCheckpoint(views(), last, end === 0 ? 0 : limits.viewsMs);
  const retried = await read();
  if (retried === undefined && !isShown && end > 0)
    throw unavailable('The newest events cannot be looked up yet: ask again a little later.');
  return retried;
}
