// Answers questions about history: pages, for which workspaces take turns, and streams.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { offsetAt } from '../../../log/offset-at.ts';
import type { ViewBuild } from '../../../view-store/view-store.ts';
import { FairTurns } from '../http/limits/fair-turns.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { historyPage, type HistoryPage, type HistoryPageOptions } from './history-page.ts';
import { historyCursor, readHistoryCursor, type HistoryPosition, type LanePosition } from './history-cursor.ts';
import { HistoryStreams, type FollowRequest } from './history-streams.ts';
import { narrowLanes, type Lane } from './lanes.ts';
import type { HistoryLog } from './merge.ts';
import type { Question } from './question.ts';

/** Each page can parse records for most of a second. */
const pageTurns = {
  atOnce: 2,
  perOwnerMax: 16,
  totalMax: 64,
  full: () => new TooManyWaiting('Too many requests for history wait for their turn.'),
};

export interface HistoryReaderOptions {
  readonly log: HistoryLog;
  readonly views: () => ViewBuild;
  /** The time between heartbeats of a stream. */
  readonly heartbeatMs: () => number;
  /** Called with an error that no retry repairs; its stream has ended. */
  readonly onFault: (error: unknown) => void;
}

export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  readonly #turns = new FairTurns(pageTurns);
  readonly #streams: HistoryStreams;

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
    this.#streams = new HistoryStreams({
      ...options,
      readPage: (position, pageOptions) => this.page(position, pageOptions),
    });
  }

  /** The position where reading for a question begins. Throws ApiProblem 400 for a cursor of another question. */
  async startPosition(question: Question, cursor: string | undefined): Promise<HistoryPosition> {
    const { log, views } = this.#options;
    if (cursor !== undefined) return readHistoryCursor(question, cursor, log.partitions);
    const { lanes, since, commandsSince } = await narrowLanes(question, views(), log.partitions);
    const startOf = async (lane: Lane): Promise<LanePosition> => {
      if (lane.topic !== 'commands' || commandsSince === since) return { ...lane, offset: undefined };
      return { ...lane, offset: commandsSince === 0 ? 0 : await offsetAt(log, lane, commandsSince) };
    };
    return { lanes: await Promise.all(lanes.map(startOf)), since };
  }

  /** The position after all existing records. */
  async endPosition(question: Question): Promise<HistoryPosition> {
    const { lanes, since } = await this.startPosition(question, undefined);
    const { log } = this.#options;
    return {
      lanes: await Promise.all(
        lanes.map(async (lane) => ({ ...lane, offset: await log.end(lane.topic, lane.partition) })),
      ),
      since,
    };
  }

  /** Throws ApiProblem 400 for a question with too many lanes for a cursor. */
  cursorOf(question: Question, position: HistoryPosition): string {
    return historyCursor(question, position, this.#options.log.partitions);
  }

  /** Reads a page in its workspace's turn. Throws TooManyWaiting or PortError. */
  page(position: HistoryPosition, pageOptions: Omit<HistoryPageOptions, 'log'>): Promise<HistoryPage> {
    const { log } = this.#options;
    return this.#turns.run(pageOptions.question.workspace, () => historyPage(position, { ...pageOptions, log }));
  }

  /** Resolves once the stream has begun. Throws ApiProblem, TooManyWaiting or PortError before any answer. */
  async follow(response: ServerResponse, headers: () => OutgoingHttpHeaders, request: FollowRequest): Promise<void> {
    const { question, after } = request;
    const position = after === undefined ? await this.endPosition(question) : await this.startPosition(question, after);
    const cursorOf = (to: HistoryPosition): string => this.cursorOf(question, to);
    // Throws now, rather than at the first message, if the messages of the stream could have no ids.
    cursorOf(position);
    this.#streams.open(response, headers, { ...request, position, cursorOf });
  }

  /** How many streams are open. */
  get streamCount(): number {
    return this.#streams.count;
  }

  close(): void {
    this.#streams.close();
  }
}
