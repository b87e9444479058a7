// Reads one page of history for a bounded time, and returns its events and the position from which to continue.
import { millisMax } from '../../../domain/message.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { cloudEventOf } from '../../../domain/history/cloud-event.ts';
import type { CloudEvent } from '../../../domain/history/cloud-event.ts';
import type { HistoryPosition } from './history-cursor.ts';
import { clockSkewMs } from './lanes.ts';
import { Merge, type LaneRecord, type HistoryLog } from './merge.ts';
import { matchesQuestion, type Question } from './question.ts';

/** A page is answered within a second: the rest is for waiting for its turn and for the first step. */
const pageMs = 700;
/** Size of a page's events as JSON text; a page has at least one event. */
export const pageBytesMax = 1024 * 1024;
/** Records that are read between two looks at the clock. */
const recordsPerClockCheck = 64;

export interface PageEvent {
  readonly event: CloudEvent;
  /** The position after the event, from which to continue. */
  readonly position: HistoryPosition;
}

export interface HistoryPage {
  readonly events: readonly CloudEvent[];
  readonly position: HistoryPosition;
  /** Whether the end of the log, or of the time that is searched, was reached. */
  readonly isEnd: boolean;
  /** The time of the last record that was read. Undefined: none was. */
  readonly searchedTo: Millis | undefined;
}

export interface HistoryPageOptions {
  readonly log: HistoryLog;
  readonly question: Question;
  readonly limit: number;
  /** Records from this time on need not be read; a few of them can be returned. */
  readonly until?: Millis | undefined;
  /** Called for each event of the page, with the position after it. */
  readonly onEvent?: (pageEvent: PageEvent) => void;
}

/** Throws PortError. */
export async function historyPage(from: HistoryPosition, options: HistoryPageOptions): Promise<HistoryPage> {
  const { log, question, limit, onEvent } = options;
  const deadline = performance.now() + pageMs;
  const isTimeUp = (): boolean => performance.now() >= deadline;
  const merge = new Merge(log, from, (question.to ?? options.until ?? Infinity) + clockSkewMs);
  const events: CloudEvent[] = [];
  if (!(await merge.findOffsets(isTimeUp)))
    return { events, position: merge.position, isEnd: false, searchedTo: undefined };
  let bytes = 0;
  let searchedTo: Millis | undefined;
  for (let recordsRead = 1; events.length < limit && bytes < pageBytesMax; recordsRead++) {
    const next = merge.next();
    const laneRecord = next instanceof Promise ? await next : next;
    if (laneRecord === undefined) break;
    if (Number.isFinite(laneRecord.record.at)) searchedTo = laneRecord.record.at;
    const event = eventOf(question, laneRecord);
    if (event !== undefined) {
      events.push(event);
      bytes += JSON.stringify(event).length;
      onEvent?.({ event, position: merge.position });
    }
    if (recordsRead % recordsPerClockCheck === 0 && isTimeUp()) break;
  }
  return { events, position: merge.position, isEnd: merge.isEnd, searchedTo };
}

/** Undefined: the question does not ask for this record, or it is malformed. */
function eventOf(question: Question, { topic, record }: LaneRecord): CloudEvent | undefined {
  return isReadable(record) && matchesQuestion(question, topic, record) ? cloudEventOf(topic, record) : undefined;
}

/** A record that something else has written can contain anything. */
function isReadable({ id, key, at, correlationId, causationId }: StoredRecord): boolean {
  const texts = [id, key, correlationId, causationId];
  return Number.isInteger(at) && Math.abs(at) <= millisMax && texts.every((text) => typeof text === 'string');
}
