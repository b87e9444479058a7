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
import { findOwned } from '../../owned-documents.ts';
import type { PreviewDto, PreviewRecord } from './filter.dto.ts';

export async function previewEvent(
  parts: Parts<'views' | 'transforms' | 'ambient'>,
  caller: Caller,
  subscription: SubscriptionView,
  input: PreviewDto,
): Promise<PreviewRecord> {
  const previewed = await findEvent(parts, caller, subscription, input);
  if (previewed.origin !== undefined && !matches(subscription, previewed.origin))
    return notWanted('The event is on another channel than the subscription.');
  const filter = input.filter === undefined ? subscription.filter : input.filter;
  const parsedFilter = filter === null ? undefined : readFilter(filter);
  const mismatchPath =
    parsedFilter !== undefined && 'filter' in parsedFilter ? mismatch(parsedFilter.filter, previewed.event) : undefined;
  if (mismatchPath !== undefined) return notWanted(`${mismatchPath} is not as the filter wants it`);
  const transform = input.transform === undefined ? subscription.transform : (input.transform ?? undefined);
  if (transform === undefined) return { matches: true, reason: null, transformed: null, error: null };
  return tryTransform({ parts, caller }, subscription, transform, previewed);
}

const notWanted = (reason: string): PreviewRecord => ({ matches: false, reason, transformed: null, error: null });

async function tryTransform(
  { parts, caller }: { readonly parts: Parts<'transforms' | 'ambient'>; readonly caller: Caller },
  { subscriptionId, emitterId, eventName }: SubscriptionView,
  transform: string,
  { event, origin }: PreviewEvent,
): Promise<PreviewRecord> {
  // An event in the request was not emitted: it has no id, and its time is now.
  const currentEvent = { eventId: `${parts.ambient.now()}-0`, emitterId, channel: eventName ?? '' };
  const metadata = transformMetadata(subscriptionId, origin ?? currentEvent);
  const outcome = await parts.transforms.run({
    caller,
    subscriptionId,
    emitterId,
    transform,
    on: { event, metadata },
  });
  if (outcome.kind === 'dropped') return notWanted('The transform drops it');
  const matched = { matches: true, reason: null, transformed: null, error: null };
  if (outcome.kind === 'failed') return { ...matched, error: outcome.error };
  if (outcome.kind === 'compiled') return matched;
  const body = outcome.body === null ? event : (JSON.parse(outcome.body) as Json);
  return { ...matched, transformed: { body, headers: outcome.headers } };
}

interface PreviewEvent {
  readonly event: Json;
  /** Where the event was emitted; absent for an event in the request. */
  readonly origin?: { readonly eventId: string; readonly emitterId: string; readonly channel: string };
}

async function findEvent(
  parts: Parts<'views'>,
  caller: Caller,
  { emitterId }: SubscriptionView,
  input: PreviewDto,
): Promise<PreviewEvent> {
  const eventId = input.event_id ?? undefined;
  if ((eventId === undefined) === (input.event === undefined)) {
    const reason =
      eventId === undefined ? 'event or event_id is needed' : 'event cannot be given together with event_id';
    throw invalidRequest('Give either `event_id` or `event`.', problemOfField('event', reason));
  }
  if (eventId === undefined) return { event: input.event ?? null };
  const sourceId = isEverySource(emitterId) ? (input.emitter_id ?? undefined) : emitterId;
  if (sourceId === undefined)
    throw invalidRequest(
      'Give `emitter_id`: the subscription is to every source.',
      problemOfField('emitter_id', 'emitter_id is needed'),
    );
  const found = await findOwned<EventView>(parts, caller, 'events', eventKey(sourceId, eventId));
  if (found === undefined) throw notFound({ field: 'event_id' });
  return { event: found.event, origin: found };
}
