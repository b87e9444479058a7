// What can be streamed of a source: its events or its runs, each in the order of its place on the log.
import type { TopicName } from '../../../../domain/flow.ts';
import { isId } from '../../../../domain/id.ts';
import { eventKey, eventOrder } from '../../../../domain/views/index.ts';
import type { EventView, RunView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';
import { presentEvent, presentRun } from '../../rest/sources/event.presenter.ts';
import { badCursor, isEventId } from '../../rim/cursor.ts';

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
  readonly sourceId: string;
  readonly channel: string | undefined;
}

/** What names of the service's own channels begin with. */
const ownPrefix = '$';

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
  isShown: (document) => !event(document).channel.startsWith(ownPrefix),

  /** An event's id alone says where it stands. */
  async find(build, sourceId, id) {
    if (!isEventId(id)) throw badCursor();
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
  isShown: () => true,

  /** Retention takes the oldest: behind a run that is gone is all that is left. */
  async find(build, sourceId, id) {
    if (!isId('run', id)) throw badCursor();
    const document = await build.get('runs', id);
    const isGone = document === undefined || run(document).sourceId !== sourceId;
    return { place: isGone ? undefined : runStreams.placeOf(document), isGone };
  },
};
