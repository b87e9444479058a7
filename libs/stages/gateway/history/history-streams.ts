// Streams of history: each reads pages after its position, and pauses at the end of the log.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { CloudEvent } from '../../../domain/history/cloud-event.ts';
import { PortError } from '../../../domain/port-error.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { unavailable } from '../http/api-problem.ts';
import { frameOf } from '../streams/frame.ts';
import { OpenStreams } from '../streams/open-streams.ts';
import { UnreadBytes } from '../streams/sharing/unread-bytes.ts';
import { Stream } from '../streams/stream.ts';
import type { HistoryPosition } from './history-cursor.ts';
import type { HistoryPage, HistoryPageOptions } from './history-page.ts';
import type { Question } from './question.ts';

/** Few, since each stream reads all of its lanes itself. */
const historyStreamsMax = { gateway: 32, workspace: 16 };
/** Records of one page of a stream. */
const pageRecords = 100;
/** At the end of the log a stream waits ten times as long as its last read took, bounded by `pauseMs`. */
const pausePerReadMs = 10;
const pauseMs = { min: 250, max: 2_000 };
/** The wait after a port error, and while too many wait for pages. */
const retryMs = 1_000;
/** How often the keys of open streams are checked, and whether a heartbeat is due. */
const heartbeatCheckMs = 250;

export interface FollowRequest {
  readonly question: Question;
  readonly after: string | undefined;
  /** Whether the caller that opened the stream may still read. */
  readonly isAdmitted: () => boolean;
  readonly present: (event: CloudEvent) => object;
}

interface OpenRequest extends Omit<FollowRequest, 'after'> {
  readonly position: HistoryPosition;
  readonly cursorOf: (position: HistoryPosition) => string;
}

export interface HistoryStreamsOptions {
  readonly readPage: (position: HistoryPosition, pageOptions: Omit<HistoryPageOptions, 'log'>) => Promise<HistoryPage>;
  readonly heartbeatMs: () => number;
  readonly onFault: (error: unknown) => void;
}

export class HistoryStreams {
  readonly #options: HistoryStreamsOptions;
  readonly #openStreams = new OpenStreams(historyStreamsMax);
  readonly #unread = new UnreadBytes();
  #isBeating = false;
  #isClosed = false;

  constructor(options: HistoryStreamsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#openStreams.size;
  }

  /** Throws ApiProblem or TooManyWaiting before anything is sent. */
  open(response: ServerResponse, headers: () => OutgoingHttpHeaders, request: OpenRequest): void {
    if (this.#isClosed) throw unavailable('The service is stopping.');
    const stream = new Stream(response, undefined, this.#unread);
    if (!stream.isOpen) return;
    const { workspace } = request.question;
    const { isAdmitted } = request;
    const removeStream = this.#openStreams.add(
      { stream, workspace, isAdmitted },
      performance.now() + this.#options.heartbeatMs(),
    );
    stream.closed.addEventListener('abort', removeStream);
    stream.begin(headers(), false);
    if (!this.#isBeating) void this.#sendHeartbeats();
    void this.#follow(stream, request);
  }

  /** Ends all streams; clients resume at another gateway. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of this.#openStreams.all()) stream.end();
  }

  async #follow(stream: Stream<undefined>, request: OpenRequest): Promise<void> {
    for (let position = request.position; stream.isOpen && !this.#isClosed;) {
      const startedAt = performance.now();
      try {
        const page = await this.#send(stream, request, position);
        position = page.position;
        await stream.waitForDrain();
        if (page.isEnd) await pause(performance.now() - startedAt);
      } catch (error) {
        if (!isTransient(error)) return this.#fail(stream, error);
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }

  async #send(stream: Stream<undefined>, request: OpenRequest, position: HistoryPosition): Promise<HistoryPage> {
    const { question, present, cursorOf } = request;
    const frames: string[] = [];
    const page = await this.#options.readPage(position, {
      question,
      limit: pageRecords,
      onEvent: ({ event, position: nextPosition }) => frames.push(frameOf(cursorOf(nextPosition), present(event))),
    });
    if (frames.length > 0) stream.write(Buffer.from(frames.join('')));
    return page;
  }

  #fail(stream: Stream<undefined>, error: unknown): void {
    stream.end();
    if (!this.#isClosed) this.#options.onFault(error);
  }

  async #sendHeartbeats(): Promise<void> {
    this.#isBeating = true;
    while (this.#openStreams.size > 0 && !this.#isClosed) {
      this.#openStreams.sendHeartbeats(performance.now(), this.#options.heartbeatMs);
      await delay(heartbeatCheckMs, undefined, { ref: false });
    }
    this.#isBeating = false;
  }
}

const pause = (readMs: number): Promise<void> =>
  delay(Math.min(pauseMs.max, Math.max(pauseMs.min, pausePerReadMs * readMs)), undefined, { ref: false });

const isTransient = (error: unknown): boolean =>
  error instanceof TooManyWaiting || (error instanceof PortError && (error.retryable || error.code === 'closed'));
