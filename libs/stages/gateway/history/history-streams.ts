// Streams of history: each reads pages after its place, and pauses at the end of the log.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { CloudEvent } from '../../../domain/history/cloud-event.ts';
import { PortError } from '../../../domain/port-error.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { unavailable } from '../http/api-problem.ts';
import { frameOf } from '../streams/frame.ts';
import { OpenStreams } from '../streams/open-streams.ts';
import { Unread } from '../streams/sharing/unread.ts';
import { Stream } from '../streams/stream.ts';
import type { HistoryPlace } from './history-cursor.ts';
import type { HistoryPage, HistoryPageOptions } from './history-page.ts';
import type { Question } from './question.ts';

/** Few, since each stream reads all of its lanes itself. */
const historyStreamsMax = { gateway: 32, workspace: 16 };
/** Records of one page of a stream. */
const pageRecords = 100;
/** At the end of the log a stream waits ten times as long as its last read took, bounded by `restMs`. */
const restPerLook = 10;
const restMs = { min: 250, max: 2_000 };
/** The wait after a port error, and while too many wait for pages. */
const retryMs = 1_000;
/** How often the keys of open streams are checked, and whether a heartbeat is due. */
const beatLookMs = 250;

export interface Following {
  readonly question: Question;
  readonly after: string | undefined;
  /** Whether the caller that opened the stream may still read. */
  readonly isAdmitted: () => boolean;
  readonly present: (event: CloudEvent) => object;
}

interface Opening extends Omit<Following, 'after'> {
  readonly place: HistoryPlace;
  readonly cursorOf: (place: HistoryPlace) => string;
}

export interface HistoryStreamsOptions {
  readonly page: (place: HistoryPlace, of: Omit<HistoryPageOptions, 'log'>) => Promise<HistoryPage>;
  readonly beatMs: () => number;
  readonly onFault: (error: unknown) => void;
}

export class HistoryStreams {
  readonly #options: HistoryStreamsOptions;
  readonly #open = new OpenStreams(historyStreamsMax);
  readonly #unread = new Unread();
  #beating = false;
  #closed = false;

  constructor(options: HistoryStreamsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws ApiProblem or TooManyWaiting before anything is sent. */
  open(response: ServerResponse, headers: () => OutgoingHttpHeaders, opening: Opening): void {
    if (this.#closed) throw unavailable('The service is stopping.');
    const stream = new Stream(response, undefined, this.#unread);
    if (!stream.isOpen) return;
    const { workspace } = opening.question;
    const { isAdmitted } = opening;
    const leave = this.#open.add({ stream, workspace, isAdmitted }, performance.now() + this.#options.beatMs());
    stream.closed.addEventListener('abort', leave);
    stream.begin(headers(), false);
    if (!this.#beating) void this.#beat();
    void this.#follow(stream, opening);
  }

  /** Ends all streams; clients resume at another gateway. */
  close(): void {
    this.#closed = true;
    for (const { stream } of this.#open.all()) stream.end();
  }

  async #follow(stream: Stream<undefined>, opening: Opening): Promise<void> {
    for (let place = opening.place; stream.isOpen && !this.#closed;) {
      const startedAt = performance.now();
      try {
        const page = await this.#send(stream, opening, place);
        place = page.place;
        await stream.drained();
        if (page.isEnd) await rest(performance.now() - startedAt);
      } catch (error) {
        if (!mayPass(error)) return this.#fail(stream, error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  async #send(stream: Stream<undefined>, opening: Opening, place: HistoryPlace): Promise<HistoryPage> {
    const { question, present, cursorOf } = opening;
    const frames: string[] = [];
    const page = await this.#options.page(place, {
      question,
      limit: pageRecords,
      onShown: ({ event, place: behind }) => frames.push(frameOf(cursorOf(behind), present(event))),
    });
    if (frames.length > 0) stream.write(Buffer.from(frames.join('')));
    return page;
  }

  #fail(stream: Stream<undefined>, error: unknown): void {
    stream.end();
    if (!this.#closed) this.#options.onFault(error);
  }

  async #beat(): Promise<void> {
    this.#beating = true;
    while (this.#open.size > 0 && !this.#closed) {
      this.#open.beat(performance.now(), this.#options.beatMs);
      await delay(beatLookMs, undefined, { ref: false });
    }
    this.#beating = false;
  }
}

const rest = (lookedMs: number): Promise<void> =>
  delay(Math.min(restMs.max, Math.max(restMs.min, restPerLook * lookedMs)), undefined, { ref: false });

const mayPass = (error: unknown): boolean =>
  error instanceof TooManyWaiting || (error instanceof PortError && (error.retryable || error.code === 'closed'));
