// What can be streamed of a source: its events or its runs, each in the order of its place on the log.
import type { TopicName } from '../../../../domain/flow.ts';
import { isId } from '../../../../domain/id.ts';
import { logsChannel } from '../../../../domain/channel/service/printed-run.ts';
import { eventKey, eventOrder } from '../../../../domain/views/index.ts';
import type { EventView, RunView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';
import { presentEvent, presentRun } from '../../rest/sources/event.presenter.ts';
import { loggedRun } from '../../rest/sources/events/logs.ts';
import type { EventRecord, RunRecord } from '../../rest/sources/event-record.dto.ts';
import { invalidRequest } from '../../http/api-problem.ts';
import { isEventId } from '../../http/cursor.ts';

/** Behind which record of a source a stream goes on; undefined: it begins with the first. */
export type Place = ViewQuery['after'];

export interface StreamKind {
  readonly topic: Extract<TopicName, 'channels' | 'runs'>;
  readonly view: 'events' | 'runs';
  /** Documents of a source, sorted by their places on the log: of one channel, or of all that are shown without one. */
  listOf(sourceId: string, channel: string | undefined): Pick<ViewQuery, 'index' | 'equals'>;
  placeOf(document: ViewDocument): NonNullable<Place>;
  /** What a client resumes by. */
  idOf(document: ViewDocument): string;
  present(document: ViewDocument): object;
  /** What a record may have. */
  readonly fields: object;
  /** Whether it is shown where no channel is asked for. */
  isShown(document: ViewDocument): boolean;
  /** Where the record with this id stands. Throws ApiProblem 400. */
  find(build: ViewBuild, sourceId: string, id: string): Promise<Found>;
}

/** `isGone`: the place is the nearest one that is known. */
export interface Found {
  readonly place: Place;
  readonly isGone: boolean;
}

/** What is followed: one channel of a source, or, undefined, all but those of the service. */
export interface Followed {
  readonly kind: StreamKind;
  readonly workspace: string;
  readonly sourceId: string;
  readonly channel: string | undefined;
}

/** Behind in the list. Text is compared in binary order, as the views do: these places are ASCII. */
export function isBehind(place: NonNullable<Place>, other: Place): boolean {
  if (other === undefined || place.sort > other.sort) return true;
  return place.sort === other.sort && place.id > other.id;
}

/** What names of the service's own channels begin with. */
const ownPrefix = '$';

const notOfThis = (): Error =>
  invalidRequest('Last-Event-ID or after names no record of this stream: take what stands behind `id:` in one of its.');

const eventFields: Record<keyof EventRecord, true> = {
  ...{ id: true, indexed_at_ms: true, event: true, truncated: true, metadata: true },
};
const runFields: Record<keyof RunRecord, true> = {
  ...{ id: true, source_id: true, kind: true, outcome: true, started_at_ms: true, duration_ms: true },
  ...{ console: true, error: true, emitted: true, deduped: true, requests: true, request_count: true },
};

const event = ({ value }: ViewDocument): EventView => value as EventView;
const run = ({ value }: ViewDocument): RunView => value as RunView;

export const eventStreams: StreamKind = {
  topic: 'channels',
  view: 'events',
  listOf: (sourceId, channel) =>
    channel === undefined
      ? { index: 'byEmitter', equals: [sourceId] }
      : { index: 'byChannel', equals: [sourceId, channel] },
  placeOf: (document) => ({ sort: event(document).order, id: document.id }),
  idOf: (document) => event(document).eventId,
  present: (document) => presentEvent(event(document), true),
  fields: eventFields,
  isShown: (document) => !event(document).channel.startsWith(ownPrefix),

  /** An event's id alone says where it stands. */
  async find(build, sourceId, id) {
    if (!isEventId(id)) throw notOfThis();
    const place = { sort: eventOrder(id), id: eventKey(sourceId, id) };
    return { place, isGone: (await build.get('events', place.id)) === undefined };
  },
};

export const runStreams: StreamKind = {
  topic: 'runs',
  view: 'runs',
  listOf: (sourceId) => ({ index: 'byPlace', equals: [sourceId] }),
  placeOf: (document) => ({ sort: run(document).place, id: document.id }),
  idOf: (document) => document.id,
  present: (document) => presentRun(run(document)),
  fields: runFields,
  isShown: () => true,

  /** Retention takes the oldest: behind a run that is gone is all that is left. */
  async find(build, sourceId, id) {
    if (!isId('run', id)) throw notOfThis();
    const document = await build.get('runs', id);
    if (document !== undefined && run(document).sourceId !== sourceId) throw notOfThis();
    return { place: document && runStreams.placeOf(document), isGone: document === undefined };
  },
};

/** Runs that have printed something, as events. */
const logStreams: StreamKind = {
  ...runStreams,
  listOf: (sourceId) => ({ index: 'byLog', equals: [sourceId] }),
  present: (document) => presentEvent(loggedRun(run(document)), true),
  fields: eventFields,
};

export const streamsOf = (channel: string | undefined): StreamKind =>
  channel === logsChannel ? logStreams : eventStreams;
