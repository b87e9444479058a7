// What a source has emitted, newest first, and whose it was.
import { pendingChannel, pendingKey } from '../../../../domain/emit/pending.ts';
import { partitionOf } from '../../../../domain/flow.ts';
import { eventKey, eventOrder } from '../../../../domain/views/index.ts';
import type { EventView, PendingView, RunView, SourceView } from '../../../../domain/views/index.ts';
import { positionKey } from '../../../../log/log.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { chosenFields } from '../../rim/answer.ts';
import type { Many } from '../../rim/answer.ts';
import { notFound } from '../../rim/api-problem.ts';
import { badCursor, isEventId } from '../../rim/cursor.ts';
import { checkId, findOwned } from '../owned.ts';
import { listedIn, readPageOf } from '../page-reader.ts';
import { SettledList } from '../settled-list.ts';
import { presentEvent } from './event.presenter.ts';
import type { EventRecord } from './event-record.dto.ts';
import type { EventsDto } from './events.dto.ts';

/** An event's cursor is its id. Throws ApiProblem 404. */
export async function listEvents(
  gateway: Gateway,
  caller: Caller,
  sourceId: string,
  input: EventsDto,
): Promise<Many<EventRecord>> {
  await checkOwner(gateway, caller, sourceId);
  const { event_name: channel } = input;
  const of = channel === pendingChannel ? pendingOf(sourceId) : eventsOf(sourceId, channel);
  const list = {
    ...of,
    place: (cursor: string) => {
      if (!isEventId(cursor)) throw badCursor();
      return { sort: eventOrder(cursor), id: of.idOf(cursor) };
    },
    cursorOf: ({ value }: { readonly value: unknown }) => (value as EventView | PendingView).eventId,
  };
  const build = gateway.views();
  const partition = partitionOf(sourceId, gateway.options.log.partitions);
  const position = positionKey(of.topic, partition);
  const listed = new SettledList({ build, position, listed: listedIn(build, list) });
  const { page_info, documents } = await readPageOf(listed, list, input);
  const expanded = input.expand === 'event';
  return {
    page_info,
    data: documents.map(({ value }) => chosenFields(presentEvent(value as EventView | PendingView, expanded), input)),
  };
}

/** What has been emitted, on one channel or on all but those of the service. */
const eventsOf = (sourceId: string, channel: string | null | undefined) => ({
  view: 'events',
  topic: 'channels' as const,
  ...(typeof channel === 'string'
    ? { index: 'byChannel', equals: [sourceId, channel] }
    : { index: 'byEmitter', equals: [sourceId] }),
  idOf: (eventId: string) => eventKey(sourceId, eventId),
});

/** What waits for its `delivery_ts`. */
const pendingOf = (sourceId: string) => ({
  view: 'pending',
  topic: 'pending' as const,
  ...{ index: 'byEmitter', equals: [sourceId] },
  idOf: (id: string) => pendingKey(sourceId, Number(id.slice(id.indexOf('-') + 1))),
});

/** Its history stays when it was deleted: then that says whose it was. */
export async function checkOwner(gateway: Gateway, caller: Caller, sourceId: string): Promise<void> {
  checkId('dc', sourceId);
  if ((await findOwned<SourceView>(gateway, caller, 'sources', sourceId)) !== undefined) return;
  const newest = { order: 'descending', limit: 1 } as const;
  const [run] = await gateway.views().find('runs', { index: 'byPlace', equals: [sourceId], ...newest });
  const inEvents = { index: 'byEmitter', equals: [sourceId], ...newest };
  const left = run ?? (await gateway.views().find('events', inEvents))[0];
  if ((left?.value as RunView | EventView | undefined)?.workspace !== caller.workspace) throw notFound();
}
