// Previews whether a subscription wants an event, listed or given in the request, and what its transform returns.
import { mismatch } from '../../../../../domain/delivery/filter/match.ts';
import { readFilter } from '../../../../../domain/delivery/filter/read-filter.ts';
import { isEverySource, matches } from '../../../../../domain/delivery/matching.ts';
import { transformMetadata } from '../../../../../domain/delivery/transform/transform.ts';
import type { Json } from '../../../../../domain/json.ts';
import { eventKey } from '../../../../../domain/views/index.ts';
import type { EventView, SubscriptionView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { invalidRequest, notFound } from '../../../http/api-problem.ts';
import { problemOfField } from '../../../http/input/field-problem.ts';
import { findOwned } from '../../owned.ts';
import type { PreviewDto, PreviewRecord } from './filter.dto.ts';

export async function preview(
  parts: Parts<'views' | 'transforms' | 'ambient'>,
  caller: Caller,
  subscription: SubscriptionView,
  input: PreviewDto,
): Promise<PreviewRecord> {
  const given = await eventOf(parts, caller, subscription, input);
  if (given.at !== undefined && !matches(subscription, given.at))
    return notWanted('The event is on another channel than the subscription.');
  const filter = input.filter === undefined ? subscription.filter : input.filter;
  const read = filter === null ? undefined : readFilter(filter);
  const at = read !== undefined && 'filter' in read ? mismatch(read.filter, given.event) : undefined;
  if (at !== undefined) return notWanted(`${at} is not as the filter wants it`);
  const transform = input.transform === undefined ? subscription.transform : (input.transform ?? undefined);
  if (transform === undefined) return { matches: true, reason: null, transformed: null, error: null };
  return transformed({ parts, caller }, subscription, transform, given);
}

const notWanted = (reason: string): PreviewRecord => ({ matches: false, reason, transformed: null, error: null });

async function transformed(
  { parts, caller }: { readonly parts: Parts<'transforms' | 'ambient'>; readonly caller: Caller },
  { subscriptionId, emitterId, eventName }: SubscriptionView,
  transform: string,
  { event, at }: Given,
): Promise<PreviewRecord> {
  // An event in the request was not emitted: it has no id, and its time is now.
  const now = { eventId: `${parts.ambient.now()}-0`, emitterId, channel: eventName ?? '' };
  const metadata = transformMetadata(subscriptionId, at ?? now);
  const tried = await parts.transforms.try({
    caller,
    subscriptionId,
    emitterId,
    transform,
    on: { event, metadata },
  });
  if (tried.kind === 'dropped') return notWanted('The transform drops it');
  const shown = { matches: true, reason: null, transformed: null, error: null };
  if (tried.kind === 'failed') return { ...shown, error: tried.error };
  if (tried.kind === 'compiled') return shown;
  const body = tried.body === null ? event : (JSON.parse(tried.body) as Json);
  return { ...shown, transformed: { body, headers: tried.headers } };
}

interface Given {
  readonly event: Json;
  /** Where the event was emitted; absent for an event in the request. */
  readonly at?: { readonly eventId: string; readonly emitterId: string; readonly channel: string };
}

async function eventOf(
  parts: Parts<'views'>,
  caller: Caller,
  { emitterId }: SubscriptionView,
  input: PreviewDto,
): Promise<Given> {
  const eventId = input.event_id ?? undefined;
  if ((eventId === undefined) === (input.event === undefined)) {
    const why = eventId === undefined ? 'event or event_id is needed' : 'event cannot be given together with event_id';
    throw invalidRequest('Give either `event_id` or `event`.', problemOfField('event', why));
  }
  if (eventId === undefined) return { event: input.event ?? null };
  const of = isEverySource(emitterId) ? (input.emitter_id ?? undefined) : emitterId;
  if (of === undefined)
    throw invalidRequest(
      'Give `emitter_id`: the subscription is to every source.',
      problemOfField('emitter_id', 'emitter_id is needed'),
    );
  const found = await findOwned<EventView>(parts, caller, 'events', eventKey(of, eventId));
  if (found === undefined) throw notFound({ field: 'event_id' });
  return { event: found.event, at: found };
}
