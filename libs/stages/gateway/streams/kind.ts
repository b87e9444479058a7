// The kinds of streams of a source: its events, its runs or its logs, each in log order.
import type { TopicName } from '../../../domain/flow.ts';
import { isId } from '../../../domain/id.ts';
import { logsChannel } from '../../../domain/run/printed-run.ts';
import { eventKey, eventOrder } from '../../../domain/views/index.ts';
import type { EventView, RunView } from '../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument, ViewQuery } from '../../../view-store/view-store.ts';
import { presentEvent } from '../records/event.presenter.ts';
import { presentRun } from '../records/run.presenter.ts';
import { loggedRun } from '../records/logged-run.ts';
import type { EventRecord } from '../records/event-record.dto.ts';
import type { RunRecord } from '../records/run-record.dto.ts';
import { invalidRequest } from '../http/api-problem.ts';
import { isEventId } from '../http/pages/cursor.ts';

/** The record of a source after which a stream continues; undefined: the stream begins with the first record. */
export type Place = ViewQuery['after'];

export interface StreamKind {
  readonly topic: Extract<TopicName, 'channels' | 'runs'>;
  readonly view: 'events' | 'runs';
  /** A source's documents in log order: of one channel or, without one, of all channels shown by default. */
  listOf(sourceId: string, channel: string | undefined): Pick<ViewQuery, 'index' | 'equals'>;
  placeOf(document: ViewDocument): NonNullable<Place>;
  /** The id with which a client resumes. */
  idOf(document: ViewDocument): string;
  present(document: ViewDocument): object;
  /** The fields that a record can have. */
  readonly fields: object;
  /** Whether it is shown if the client asks for no channel. */
  isShown(document: ViewDocument): boolean;
  /** The place of the record with this id. Throws ApiProblem 400. */
  find(build: ViewBuild, of: Pick<Followed, 'workspace' | 'sourceId'>, id: string): Promise<Found>;
}

/** `isGone`: the record is gone, and `place` is the nearest known place. */
export interface Found {
  readonly place: Place;
  readonly isGone: boolean;
}

/** One channel of a source; undefined: all channels except the service's own. */
export interface Followed {
  readonly kind: StreamKind;
  readonly workspace: string;
  readonly sourceId: string;
  readonly channel: string | undefined;
}

/** Whether `place` comes after `other` in the list. Compares text in binary order like the views: places are ASCII. */
export function isBehind(place: NonNullable<Place>, other: Place): boolean {
  if (other === undefined || place.sort > other.sort) return true;
  return place.sort === other.sort && place.id > other.id;
}

/** The prefix of the service's own channels. */
const ownPrefix = '$';

const notOfThis = (): Error =>
  invalidRequest('Last-Event-ID or after names no record of this stream: take the value after `id:` in one of its.');

const eventFields: Record<keyof EventRecord, true> = {
  id: true,
  indexed_at_ms: true,
  event: true,
  truncated: true,
  metadata: true,
};
const runFields: Record<keyof RunRecord, true> = {
  id: true,
  source_id: true,
  kind: true,
  outcome: true,
  started_at_ms: true,
  duration_ms: true,
  console: true,
  error: true,
  emitted: true,
  deduped: true,
  requests: true,
  request_count: true,
  trace_id: true,
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

  /** The place follows from the event's id. */
  async find(build, { sourceId }, id) {
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

  /** Retention removes the oldest runs first: every run that is left comes after one that is gone. */
  async find(build, { workspace, sourceId }, id) {
    if (!isId('run', id)) throw notOfThis();
    const known = await build.get('runs', id);
    // A run of another workspace counts as one that never existed.
    const document = known !== undefined && run(known).workspace === workspace ? known : undefined;
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
