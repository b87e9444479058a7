// Follows the events and runs of a source, and prints them as they arrive.
import type { Client, EventSummary, Run, StreamMessage } from '../../../libs/client/index.ts';
import { showEvent, showRun } from '../output/show-records.ts';
import { isApiError } from '../failures/explain.ts';
import { exitCodes, Failure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';
import { follow } from './follow.ts';
import type { FollowOptions } from './follow.ts';
import { plainLine } from '../output/plain-text.ts';

/** Ids that sort before every event and every run, so that a stream after them has everything. */
const firstIds = { event: '0-0', run: 'run_0000000000000000' } as const;

export interface FollowTarget {
  readonly sourceId: string;
  /** Undefined: every channel except the service's own. */
  readonly channel?: string | undefined;
  readonly signal: AbortSignal;
  /** The last record that was shown; undefined: there is none yet. */
  readonly after: string | undefined;
}

/** Reports lost and resumed connections of a stream on stderr. */
export function connectionNotices({ out }: Session): Pick<FollowOptions<unknown>, 'onLost' | 'onResumed'> {
  return {
    onLost: (error) => {
      const why = error instanceof Error ? ` (${plainLine(error.message)})` : '';
      out.note(out.noteStyle.warning(`Connection lost${why}. Reconnecting ...`));
    },
    onResumed: () => out.note(out.noteStyle.good('Reconnected; going on after the last record.')),
  };
}

export function followEvents(
  session: Session,
  client: Client,
  target: FollowTarget,
): AsyncGenerator<StreamMessage<EventSummary>> {
  const { sourceId, channel, signal } = target;
  // Events of this channel are made from runs and have their ids.
  const first = channel === '$logs' ? firstIds.run : firstIds.event;
  const filter = channel === undefined ? {} : { event_name: channel };
  const records = follow({
    open: ({ after = first, ...connection }) => client.eventStream(sourceId, { ...filter, after, ...connection }),
    signal,
    after: target.after,
    ...connectionNotices(session),
  });
  return untilDeleted(sourceId, records);
}

export function followRuns(session: Session, client: Client, target: FollowTarget): AsyncGenerator<StreamMessage<Run>> {
  const { sourceId, signal } = target;
  const records = follow({
    open: ({ after = firstIds.run, ...connection }) => client.runStream(sourceId, { after, ...connection }),
    signal,
    after: target.after,
    ...connectionNotices(session),
  });
  return untilDeleted(sourceId, records);
}

async function* untilDeleted<T>(sourceId: string, records: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* records;
  } catch (error) {
    if (!isApiError(error) || error.status !== 404) throw error;
    throw new Failure(`The source ${sourceId} was deleted.`, exitCodes.notFound);
  }
}

export async function printEvents(session: Session, client: Client, target: FollowTarget): Promise<void> {
  const { out } = session;
  for await (const { data } of followEvents(session, client, target))
    await out.printRecord(data, () => showEvent(data, out.style));
}

interface RunsFollowTarget extends FollowTarget {
  /** By default all are shown. */
  readonly isWanted?: (run: Run) => boolean;
}

export async function printRuns(session: Session, client: Client, target: RunsFollowTarget): Promise<void> {
  const { out } = session;
  const { isWanted = () => true } = target;
  for await (const { data } of followRuns(session, client, target))
    if (isWanted(data)) await out.printRecord(data, () => showRun(data, out.style));
}
