// Answers questions about history: pages, for which workspaces take turns, and streams.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { offsetAt } from '../../../log/offset-at.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import { FairTurns } from '../http/limits/fair-turns.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { historyPage, type HistoryPage, type HistoryPageOptions } from './history-page.ts';
import { historyCursor, readHistoryCursor, type HistoryPlace, type LanePlace } from './history-cursor.ts';
import { HistoryStreams, type Following } from './history-streams.ts';
import { narrowed, type Lane } from './lanes.ts';
import type { HistoryLog } from './merge.ts';
import type { Question } from './question.ts';

/** Each page can parse records for most of a second. */
const pageTurns = {
  atOnce: 2,
  ofOwnerMax: 16,
  allMax: 64,
  full: () => new TooManyWaiting('Too many requests for history wait for their turn.'),
};

export interface HistoryDeskOptions {
  readonly log: HistoryLog;
  readonly views: () => ViewBuild;
  /** The time between heartbeats of a stream. */
  readonly beatMs: () => number;
  /** Called with an error that no retry repairs; its stream has ended. */
  readonly onFault: (error: unknown) => void;
}

export class HistoryDesk {
  readonly #options: HistoryDeskOptions;
  readonly #turns = new FairTurns(pageTurns);
  readonly #streams: HistoryStreams;

  constructor(options: HistoryDeskOptions) {
    this.#options = options;
    this.#streams = new HistoryStreams({ ...options, page: (place, of) => this.page(place, of) });
  }

  /** The place where reading for a question begins. Throws ApiProblem 400 for a cursor of another question. */
  async begin(question: Question, cursor: string | undefined): Promise<HistoryPlace> {
    const { log, views } = this.#options;
    if (cursor !== undefined) return readHistoryCursor(question, cursor, log.partitions);
    const { lanes, since, commandsSince } = await narrowed(question, views(), log.partitions);
    const begins = async (lane: Lane): Promise<LanePlace> => {
      if (lane.topic !== 'commands' || commandsSince === since) return { ...lane, offset: undefined };
      return { ...lane, offset: commandsSince === 0 ? 0 : await offsetAt(log, lane, commandsSince) };
    };
    return { lanes: await Promise.all(lanes.map(begins)), since };
  }

  /** The place after all existing records. */
  async end(question: Question): Promise<HistoryPlace> {
    const { lanes, since } = await this.begin(question, undefined);
    const { log } = this.#options;
    return {
      lanes: await Promise.all(
        lanes.map(async (lane) => ({ ...lane, offset: await log.end(lane.topic, lane.partition) })),
      ),
      since,
    };
  }

  /** Throws ApiProblem 400 for a question with too many lanes for a cursor. */
  cursorOf(question: Question, place: HistoryPlace): string {
    return historyCursor(question, place, this.#options.log.partitions);
  }

  /** Reads a page in its workspace's turn. Throws TooManyWaiting or PortError. */
  page(place: HistoryPlace, of: Omit<HistoryPageOptions, 'log'>): Promise<HistoryPage> {
    const { log } = this.#options;
    return this.#turns.take(of.question.workspace, () => historyPage(place, { ...of, log }));
  }

  /** Resolves once the stream has begun. Throws ApiProblem, TooManyWaiting or PortError before any answer. */
  async follow(response: ServerResponse, headers: () => OutgoingHttpHeaders, following: Following): Promise<void> {
    const { question, after } = following;
    const place = after === undefined ? await this.end(question) : await this.begin(question, after);
    const cursorOf = (to: HistoryPlace): string => this.cursorOf(question, to);
    // Throws now, rather than at the first message, if the messages of the stream could have no ids.
    cursorOf(place);
    this.#streams.open(response, headers, { ...following, place, cursorOf });
  }

  /** How many streams are open. */
  get streams(): number {
    return this.#streams.count;
  }

  close(): void {
    this.#streams.close();
  }
}
