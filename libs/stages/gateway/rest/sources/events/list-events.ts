// Lists the events of a source, newest first.
import { logsChannel } from '../../../../../domain/run/logs-report.ts';
import { pendingChannel, pendingKey } from '../../../../../domain/pending/pending.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { eventKey, eventOrder } from '../../../../../domain/views/index.ts';
import { asJson } from '../../../../../domain/views/view.ts';
import type { EventView, PendingView, RunView } from '../../../../../domain/views/index.ts';
import { positionKey } from '../../../../../log/log.ts';
import type { ViewDocument } from '../../../../../view-store/view-store.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import type { YieldTurn } from '../../../http/limits/fair-turns.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { PageAnswer } from '../../../http/answer-envelope.ts';
import { badCursor, isEventId } from '../../../http/pages/cursor.ts';
import { findOwned } from '../../owned-documents.ts';
import { BoundedList } from '../../lists/bounded-list.ts';
import { viewPages, positionIn, readPageOf } from '../../lists/page-reader.ts';
import type { ListPosition } from '../../lists/paged-list.ts';
import { SettledList, type SettledOptions } from '../../lists/settled-list.ts';
import { checkOwner } from '../source-owner.ts';
import type { EventsList } from './events-list.ts';
import { logsOf } from './logs.ts';
import { presentEvent } from '../../../records/event.presenter.ts';
import type { EventRecord } from '../../../records/event-record.dto.ts';
import type { EventsDto } from './events.dto.ts';

export interface EventsRequest {
  readonly sourceId: string;
  readonly input: EventsDto;
  readonly yieldTurn: YieldTurn;
}

/** An event's cursor is its id. Throws ApiProblem 404. */
export async function listEvents(
  parts: Parts<'views' | 'viewsWatch' | 'log'>,
  caller: Caller,
  { sourceId, input, yieldTurn }: EventsRequest,
): Promise<PageAnswer<EventRecord>> {
  await checkOwner(parts, caller, sourceId);
  const { event_name: channel } = input;
  const list = listOf(sourceId, channel, { parts, caller });
  const build = parts.views();
  const position = positionKey(list.topic, partitionOf(sourceId, parts.log.partitions));
  const positionOf = positionIn(list);
  const waitUntilPassed: SettledOptions['waitUntilPassed'] = (version, timeoutMs) =>
    yieldTurn(() => parts.viewsWatch.waitUntilPassed(position, version, timeoutMs));
  const settledList = new SettledList({ build, position, list: viewPages(build, list), positionOf, waitUntilPassed });
  const isExpanded = input.expand === 'event';
  const reduce = ({ value, ...document }: ViewDocument): ViewDocument => ({
    ...document,
    value: { record: asJson(presentEvent(list.eventOf(value), isExpanded)) },
  });
  const cursors = {
    positionOfCursor: list.positionOfCursor,
    cursorOf: (document: ViewDocument) => recordOf(document).id,
  };
  const { page_info, documents } = await readPageOf(
    new BoundedList({ list: settledList, positionOf, kept: reduce }),
    cursors,
    input,
  );
  return { page_info, data: documents.map((document) => selectFields(recordOf(document), input)) };
}

/** The record in a document that `reduce` has made. */
const recordOf = ({ value }: ViewDocument): EventRecord => value['record'] as unknown as EventRecord;

interface ListContext {
  readonly parts: Parts<'views'>;
  readonly caller: Caller;
}

function listOf(sourceId: string, channel: string | null | undefined, { parts, caller }: ListContext): EventsList {
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
  positionOfCursor: positionBy((eventId) => eventKey(sourceId, eventId)),
  eventOf: (value) => value as EventView,
});

/** Events that wait for their `delivery_ts`. */
const pendingOf = (sourceId: string): EventsList => ({
  view: 'pending',
  topic: 'pending',
  index: 'byEmitter',
  equals: [sourceId],
  positionOfCursor: positionBy((id) => pendingKey(sourceId, Number(id.slice(id.indexOf('-') + 1)))),
  eventOf: (value) => value as PendingView,
});

const positionBy =
  (keyOf: (eventId: string) => string) =>
  (cursor: string): ListPosition => {
    if (!isEventId(cursor)) throw badCursor();
    return { sort: eventOrder(cursor), id: keyOf(cursor) };
  };
