// Parses large bodies on a separate thread, one at a time, workspaces in turn; a thread that dies is replaced.
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../../../primitives/files/program-file.ts';
import { tooManyRequests, unavailable } from '../api-problem.ts';
import type { ParsedBody } from './body-text.ts';
import { BoundedFairQueue } from '../limits/bounded-fair-queue.ts';
import type { JsonBounds } from '../json/json-scan.ts';

/** Each takes some 30 ms, so the last one of a workspace waits two seconds; their bytes are bounded by `BodyBudget`. */
const perOwnerMax = 64;
/** Eight workspaces that each send their maximum. */
const totalMax = 512;
/** A hundred times what the worst body needs, thread start included: whatever takes longer hangs. */
const parseMs = 5_000;
/** The text and the values of one body take some 30 MiB; the rest is for the thread itself. */
const threadLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const program = programUrl(import.meta.url, './parse-thread');

/** The message to the thread. */
export interface LargeBody {
  readonly bytes: Uint8Array;
  /** The bounds of the route; absent: the usual ones. */
  readonly bounds?: JsonBounds | undefined;
}

interface Job extends LargeBody {
  readonly resolve: (parsed: ParsedBody) => void;
  readonly reject: (error: Error) => void;
}

export interface LargeBodyParserOptions {
  readonly parseMs: number;
  readonly program: URL;
}

export class LargeBodyParser {
  readonly #options: LargeBodyParserOptions;
  readonly #queue = new BoundedFairQueue<Job>({ perOwnerMax, totalMax });
  #thread: Worker | undefined;
  #currentJob: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: Partial<LargeBodyParserOptions> = {}) {
    this.#options = { parseMs, program, ...options };
  }

  /** How many bodies are being parsed or wait. */
  get size(): number {
    return this.#queue.size + (this.#currentJob === undefined ? 0 : 1);
  }

  /** Throws ApiProblem 429 if too many wait, 503 if the thread dies of this body or the gateway stops. */
  parse(owner: string, bytes: Uint8Array, bounds?: JsonBounds): Promise<ParsedBody> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) reject(stoppingProblem());
      else if (!this.#queue.add(owner, { bytes, bounds, resolve, reject }))
        reject(tooManyRequests('Too many large bodies are waiting.'));
      else this.#parseNext();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (let job = this.#queue.take(); job !== undefined; job = this.#queue.take()) job.reject(stoppingProblem());
    this.#takeCurrentJob()?.reject(stoppingProblem());
    await this.#terminateThread();
  }

  #parseNext(): void {
    if (this.#currentJob !== undefined || this.#isClosed) return;
    const job = this.#queue.take();
    if (job === undefined) return;
    this.#currentJob = job;
    this.#thread ??= this.#startThread();
    this.#thread.ref();
    const { bytes, bounds } = job;
    this.#thread.postMessage({ bytes, bounds } satisfies LargeBody, transferListOf(bytes));
    this.#timer = setTimeout(() => this.#handleFailure(), this.#options.parseMs);
  }

  #startThread(): Worker {
    const thread = new Worker(this.#options.program, { name: 'parse-bodies', resourceLimits: threadLimits });
    const ifCurrent = (then: () => void) => (): void => {
      if (this.#thread === thread) then();
    };
    thread.on('message', (parsed: ParsedBody) => ifCurrent(() => this.#handleParsed(parsed))());
    thread.on(
      'messageerror',
      ifCurrent(() => this.#handleFailure()),
    );
    thread.on(
      'error',
      ifCurrent(() => this.#handleFailure()),
    );
    thread.on(
      'exit',
      ifCurrent(() => this.#handleFailure()),
    );
    return thread;
  }

  #handleParsed(parsed: ParsedBody): void {
    this.#thread?.unref();
    this.#takeCurrentJob()?.resolve(parsed);
    this.#parseNext();
  }

  /** The body might have killed the thread, so it is not tried again; the next body gets a new thread. */
  #handleFailure(): void {
    const job = this.#takeCurrentJob();
    void this.#terminateThread();
    job?.reject(unavailable('The body could not be parsed in time.'));
    this.#parseNext();
  }

  #takeCurrentJob(): Job | undefined {
    const job = this.#currentJob;
    this.#currentJob = undefined;
    clearTimeout(this.#timer);
    return job;
  }

  async #terminateThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

const stoppingProblem = (): Error => unavailable('The service is stopping.');

/** A body with its own buffer is moved to the thread without a copy. */
function transferListOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
