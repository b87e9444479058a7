// The kinds of streams of a source: its events, its runs or its logs, each in log order.
import type { TopicName } from '../../../domain/flow.ts';
import { isId } from '../../../domain/id.ts';
import { logsChannel } from '../../../domain/run/logs-report.ts';
import { eventKey, eventOrder } from '../../../domain/views/index.ts';
import type { EventView, RunView } from '../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument, ViewQuery } from '../../../view-store/view-store.ts';
import { presentEvent } from '../records/event.presenter.ts';
import { presentRun } from '../records/run.presenter.ts';
import { logEventOf } from '../records/log-event.ts';
import type { EventRecord } from '../records/event-record.dto.ts';
import type { RunRecord } from '../records/run-record.dto.ts';
import { invalidRequest } from '../http/api-problem.ts';
import { isEventId } from '../http/pages/cursor.ts';

/** The record of a source after which a stream continues; undefined: the stream begins with the first record. */
export type StreamPosition = ViewQuery['after'];

export interface StreamKind {
  readonly topic: Extract<TopicName, 'channels' | 'runs'>;
  readonly view: 'events' | 'runs';
  /** A source's documents in log order: of one channel or, without one, of all channels shown by default. */
  listOf(sourceId: string, channel: string | undefined): Pick<ViewQuery, 'index' | 'equals'>;
  positionOf(document: ViewDocument): NonNullable<StreamPosition>;
  /** The id with which a client resumes. */
  idOf(document: ViewDocument): string;
  present(document: ViewDocument): object;
  /** The fields that a record can have. */
  readonly fields: object;
  /** Whether it is shown if the client asks for no channel. */
  isShown(document: ViewDocument): boolean;
  /** The position of the record with this id. Throws ApiProblem 400. */
  find(build: ViewBuild, followed: Pick<FollowedChannel, 'workspace' | 'sourceId'>, id: string): Promise<FoundPosition>;
}

/** `isGone`: the record is gone, and `position` is the nearest known place. */
export interface FoundPosition {
  readonly position: StreamPosition;
  readonly isGone: boolean;
}

/** One channel of a source; undefined: all channels except the service's own. */
export interface FollowedChannel {
  readonly kind: StreamKind;
  readonly workspace: string;
  readonly sourceId: string;
  readonly channel: string | undefined;
}

/** Whether `position` comes after `other` in the list. Compares in binary order like the views: positions are ASCII. */
export function isAfter(position: NonNullable<StreamPosition>, other: StreamPosition): boolean {
  if (other === undefined || position.sort > other.sort) return true;
  return position.sort === other.sort && position.id > other.id;
}

/** The prefix of the service's own channels. */
const ownPrefix = '$';

const unknownRecordProblem = (): Error =>
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
  positionOf: (document) => ({ sort: event(document).order, id: document.id }),
  idOf: (document) => event(document).eventId,
  present: (document) => presentEvent(event(document), true),
  fields: eventFields,
  isShown: (document) => !event(document).channel.startsWith(ownPrefix),

  /** The position follows from the event's id. */
  async find(build, { sourceId }, id) {
    if (!isEventId(id)) throw unknownRecordProblem();
    const position = { sort: eventOrder(id), id: eventKey(sourceId, id) };
    return { position, isGone: (await build.get('events', position.id)) === undefined };
  },
};

export const runStreams: StreamKind = {
  topic: 'runs',
  view: 'runs',
  listOf: (sourceId) => ({ index: 'byPlace', equals: [sourceId] }),
  positionOf: (document) => ({ sort: run(document).place, id: document.id }),
  idOf: (document) => document.id,
  present: (document) => presentRun(run(document)),
  fields: runFields,
  isShown: () => true,

  /** Retention removes the oldest runs first: every run that is left comes after one that is gone. */
  async find(build, { workspace, sourceId }, id) {
    if (!isId('run', id)) throw unknownRecordProblem();
    const known = await build.get('runs', id);
    // A run of another workspace counts as one that never existed.
    const document = known !== undefined && run(known).workspace === workspace ? known : undefined;
    if (document !== undefined && run(document).sourceId !== sourceId) throw unknownRecordProblem();
    return { position: document && runStreams.positionOf(document), isGone: document === undefined };
  },
};

/** Runs that have printed something, as events. */
const logStreams: StreamKind = {
  ...runStreams,
  listOf: (sourceId) => ({ index: 'byLog', equals: [sourceId] }),
  present: (document) => presentEvent(logEventOf(run(document)), true),
  fields: eventFields,
};

export const streamsOf = (channel: string | undefined): StreamKind =>
  channel === logsChannel ? logStreams : eventStreams;
