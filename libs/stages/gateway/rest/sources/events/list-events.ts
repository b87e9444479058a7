// Lists the events of a source, newest first.
import { logsChannel } from '../../../../../domain/run/printed-run.ts';
import { pendingChannel, pendingKey } from '../../../../../domain/pending/pending.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { eventKey, eventOrder } from '../../../../../domain/views/index.ts';
import { asJson } from '../../../../../domain/views/view.ts';
import type { EventView, PendingView, RunView } from '../../../../../domain/views/index.ts';
import { positionKey } from '../../../../../log/log.ts';
import type { ViewDocument } from '../../../../../view-store/view-store.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import type { Away } from '../../../http/limits/fair-turns.ts';
import { chosenFields } from '../../../http/answer.ts';
import type { Many } from '../../../http/answer.ts';
import { badCursor, isEventId } from '../../../http/pages/cursor.ts';
import { findOwned } from '../../owned.ts';
import { BoundedList } from '../../lists/bounded-list.ts';
import { listedIn, placeIn, readPageOf } from '../../lists/page-reader.ts';
import type { Place } from '../../lists/listed.ts';
import { SettledList, type SettledOptions } from '../../lists/settled-list.ts';
import { checkOwner } from '../source-owner.ts';
import type { EventsList } from './events-list.ts';
import { logsOf } from './logs.ts';
import { presentEvent } from '../../../records/event.presenter.ts';
import type { EventRecord } from '../../../records/event-record.dto.ts';
import type { EventsDto } from './events.dto.ts';

export interface AskedEvents {
  readonly sourceId: string;
  readonly input: EventsDto;
  readonly away: Away;
}

/** An event's cursor is its id. Throws ApiProblem 404. */
export async function listEvents(
  parts: Parts<'views' | 'viewsWatch' | 'log'>,
  caller: Caller,
  { sourceId, input, away }: AskedEvents,
): Promise<Many<EventRecord>> {
  await checkOwner(parts, caller, sourceId);
  const { event_name: channel } = input;
  const of = listOf(sourceId, channel, { parts, caller });
  const build = parts.views();
  const position = positionKey(of.topic, partitionOf(sourceId, parts.log.partitions));
  const placeOf = placeIn(of);
  const passed: SettledOptions['passed'] = (version, timeoutMs) =>
    away(() => parts.viewsWatch.passed(position, version, timeoutMs));
  const settled = new SettledList({ build, position, listed: listedIn(build, of), placeOf, passed });
  const expanded = input.expand === 'event';
  const kept = ({ value, ...document }: ViewDocument): ViewDocument => ({
    ...document,
    value: { record: asJson(presentEvent(of.shown(value), expanded)) },
  });
  const cursors = { place: of.place, cursorOf: (document: ViewDocument) => recordOf(document).id };
  const { page_info, documents } = await readPageOf(
    new BoundedList({ listed: settled, placeOf, kept }),
    cursors,
    input,
  );
  return { page_info, data: documents.map((document) => chosenFields(recordOf(document), input)) };
}

/** The record in a document that `kept` has reduced. */
const recordOf = ({ value }: ViewDocument): EventRecord => value['record'] as unknown as EventRecord;

interface Asking {
  readonly parts: Parts<'views'>;
  readonly caller: Caller;
}

function listOf(sourceId: string, channel: string | null | undefined, { parts, caller }: Asking): EventsList {
  if (channel === logsChannel) return logsOf(sourceId, (id) => findOwned<RunView>(parts, caller, 'runs', id));
  return channel === pendingChannel ? pendingOf(sourceId) : eventsOf(sourceId, channel);
}

/** Emitted events of one channel, or of all except the service's own. */
const eventsOf = (sourceId: string, channel: string | null | undefined): EventsList => ({
  view: 'events',
  topic: 'channels',
  ...(typeof channel === 'string'
    ? { index: 'byChannel', equals: [sourceId, channel] }
    : { index: 'byEmitter', equals: [sourceId] }),
  place: placeBy((eventId) => eventKey(sourceId, eventId)),
  shown: (value) => value as EventView,
});

/** Events that wait for their `delivery_ts`. */
const pendingOf = (sourceId: string): EventsList => ({
  view: 'pending',
  topic: 'pending',
  index: 'byEmitter',
  equals: [sourceId],
  place: placeBy((id) => pendingKey(sourceId, Number(id.slice(id.indexOf('-') + 1)))),
  shown: (value) => value as PendingView,
});

const placeBy =
  (keyOf: (eventId: string) => string) =>
  (cursor: string): Place => {
    if (!isEventId(cursor)) throw badCursor();
    return { sort: eventOrder(cursor), id: keyOf(cursor) };
  };
