// Reads one page of history for a bounded time, and returns the events found and the place from which to continue.
import { millisMax } from '../../../domain/message.ts';
import type { Millis, StoredRecord } from '../../../domain/message.ts';
import { cloudEventOf } from '../../../domain/history/cloud-event.ts';
import type { CloudEvent } from '../../../domain/history/cloud-event.ts';
import type { HistoryPlace } from './history-cursor.ts';
import { slackMs } from './lanes.ts';
import { Merge, type Given, type HistoryLog } from './merge.ts';
import { isWanted, type Question } from './question.ts';

/** A page is answered within a second: the rest is for waiting for its turn and for the first step. */
const pageMs = 700;
/** Size of a page's events as JSON text; a page has at least one event. */
export const pageBytesMax = 1024 * 1024;
/** Records that are read between two looks at the clock. */
const recordsPerLook = 64;

export interface Shown {
  readonly event: CloudEvent;
  /** The place after the event, from which to continue. */
  readonly place: HistoryPlace;
}

export interface HistoryPage {
  readonly shown: readonly CloudEvent[];
  readonly place: HistoryPlace;
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
  /** Called for each event of the page, with the place after it. */
  readonly onShown?: (shown: Shown) => void;
}

/** Throws PortError. */
export async function historyPage(from: HistoryPlace, options: HistoryPageOptions): Promise<HistoryPage> {
  const { log, question, limit, onShown } = options;
  const deadline = performance.now() + pageMs;
  const isOver = (): boolean => performance.now() >= deadline;
  const merge = new Merge(log, from, (question.to ?? options.until ?? Infinity) + slackMs);
  const shown: CloudEvent[] = [];
  if (!(await merge.begin(isOver))) return { shown, place: merge.place, isEnd: false, searchedTo: undefined };
  let bytes = 0;
  let searchedTo: Millis | undefined;
  for (let looked = 1; shown.length < limit && bytes < pageBytesMax; looked++) {
    const next = merge.next();
    const given = next instanceof Promise ? await next : next;
    if (given === undefined) break;
    if (Number.isFinite(given.record.at)) searchedTo = given.record.at;
    const event = eventOf(question, given);
    if (event !== undefined) {
      shown.push(event);
      bytes += JSON.stringify(event).length;
      onShown?.({ event, place: merge.place });
    }
    if (looked % recordsPerLook === 0 && isOver()) break;
  }
  return { shown, place: merge.place, isEnd: merge.isEnd, searchedTo };
}

/** Undefined: the question does not ask for this record, or it is malformed. */
function eventOf(question: Question, { topic, record }: Given): CloudEvent | undefined {
  return isReadable(record) && isWanted(question, topic, record) ? cloudEventOf(topic, record) : undefined;
}

/** A record that something else has written can contain anything. */
function isReadable({ id, key, at, correlationId, causationId }: StoredRecord): boolean {
  const texts = [id, key, correlationId, causationId];
  return Number.isInteger(at) && Math.abs(at) <= millisMax && texts.every((text) => typeof text === 'string');
}
