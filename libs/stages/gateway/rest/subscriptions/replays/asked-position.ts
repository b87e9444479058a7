// Turns a position in a request into one that other stages can find on the log without the views.
import { matchesChannel } from '../../../../../domain/delivery/matching.ts';
import type { ReplayPosition } from '../../../../../domain/delivery/replay/position.ts';
import { eventKey, type EventView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { AskedPosition } from '../../../http/pages/position.ts';

export interface PositionOf {
  /** The request's field that a refusal names. */
  readonly field: string;
  /** One source. */
  readonly emitterId: string;
  readonly eventName: string | null;
}

/** Throws ApiProblem 400 for an event that the views do not show, or that is not for the subscription. */
export async function askedPosition(
  parts: Parts<'views'>,
  caller: Caller,
  asked: AskedPosition,
  of: PositionOf,
): Promise<ReplayPosition> {
  if (typeof asked === 'string') return { by: asked, value: 0 };
  if ('time' in asked) return { by: 'time', value: asked.time };
  if ('sequence' in asked) return { by: 'sequence', value: asked.sequence };
  const { field, emitterId, eventName } = of;
  const found = await parts.views().get('events', eventKey(emitterId, asked.event_id));
  const event = found?.value as EventView | undefined;
  if (found === undefined || event?.workspace !== caller.workspace)
    throw problemsOf([{ field, message: `${field}: there is no event ${asked.event_id} of ${emitterId}` }]);
  if (!matchesChannel(eventName, event.channel))
    throw problemsOf([
      { field, message: `${field}: event ${asked.event_id} is on a channel that is not subscribed to` },
    ]);
  return { by: 'event', value: found.version };
}
