// Whether a filter lets one event through: a listed event, or one that the request gives.
import { mismatch } from '../../../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../../../domain/delivery/filter/read-filter.ts';
import { isEveryEmitter, matches } from '../../../../../domain/delivery/matching.ts';
import type { Json } from '../../../../../domain/json.ts';
import { eventKey } from '../../../../../domain/views/index.ts';
import type { EventView, SubscriptionView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Gateway } from '../../../gateway.ts';
import { invalidRequest, notFound } from '../../../http/api-problem.ts';
import { problemOfField } from '../../../http/input/field-problem.ts';
import { findOwned } from '../../owned.ts';
import type { PreviewDto, PreviewRecord } from './filter.dto.ts';

export async function preview(
  gateway: Gateway,
  caller: Caller,
  subscription: SubscriptionView,
  input: PreviewDto,
): Promise<PreviewRecord> {
  const given = await eventOf(gateway, caller, subscription, input);
  if (given.at !== undefined && !matches(subscription, given.at))
    return { matches: false, reason: 'The event is on another channel than the subscription.' };
  const filter = input.filter === undefined ? subscription.filter : input.filter;
  const read = filter === null ? undefined : readFilter(filter);
  const at = read !== undefined && 'filter' in read ? mismatch(read.filter, given.event) : undefined;
  return { matches: at === undefined, reason: at === undefined ? null : `${at} is not as the filter wants it` };
}

interface Given {
  readonly event: Json;
  /** Where the event was emitted; absent for an event that the request gives. */
  readonly at?: { readonly emitterId: string; readonly channel: string };
}

async function eventOf(
  gateway: Gateway,
  caller: Caller,
  { emitterId }: SubscriptionView,
  input: PreviewDto,
): Promise<Given> {
  const eventId = input.event_id ?? undefined;
  if ((eventId === undefined) === (input.event === undefined))
    throw invalidRequest('Give `event_id` or `event`.', problemOfField('event', 'event or event_id is needed'));
  if (eventId === undefined) return { event: input.event ?? null };
  const of = isEveryEmitter(emitterId) ? (input.emitter_id ?? undefined) : emitterId;
  if (of === undefined)
    throw invalidRequest(
      'Give `emitter_id`: the subscription is to every source.',
      problemOfField('emitter_id', 'emitter_id is needed'),
    );
  const found = await findOwned<EventView>(gateway, caller, 'events', eventKey(of, eventId));
  if (found === undefined) throw notFound({ field: 'event_id' });
  return { event: found.event, at: found };
}
