// Parses large bodies on a separate thread, one at a time, workspaces in turn; a thread that dies is replaced.
import { Worker } from 'node:worker_threads';
import { tooMany, unavailable } from '../api-problem.ts';
import type { ParsedBody } from './body-text.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import type { JsonBounds } from '../json/json-scan.ts';

/** Each takes some 30 ms, so the last one of a workspace waits two seconds; their bytes are bounded by `BodyRoom`. */
const ofOwnerMax = 64;
/** Eight workspaces that each send their maximum. */
const allMax = 512;
/** A hundred times what the worst body needs, thread start included: whatever takes longer hangs. */
const parseMs = 5_000;
/** The text and the values of one body take some 30 MiB; the rest is for the thread itself. */
const threadLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** The thread runs from source or from the build, like this file. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const program = new URL(`./parse-thread${extension}`, import.meta.url);

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

export interface LargeBodiesOptions {
  readonly parseMs: number;
  readonly program: URL;
}

export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  readonly #queue = new FairQueue<Job>({ ofOwnerMax, allMax });
  #thread: Worker | undefined;
  #current: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Partial<LargeBodiesOptions> = {}) {
    this.#options = { parseMs, program, ...options };
  }

  /** How many bodies are being parsed or wait. */
  get size(): number {
    return this.#queue.size + (this.#current === undefined ? 0 : 1);
  }

  /** Throws ApiProblem 429 if too many wait, 503 if the thread dies of this body or the gateway stops. */
  parse(owner: string, bytes: Uint8Array, bounds?: JsonBounds): Promise<ParsedBody> {
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(stopping());
      else if (!this.#queue.add(owner, { bytes, bounds, resolve, reject }))
        reject(tooMany('Too many large bodies are waiting.'));
      else this.#go();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let job = this.#queue.next(); job !== undefined; job = this.#queue.next()) job.reject(stopping());
    this.#settle()?.reject(stopping());
    await this.#drop();
  }

  #go(): void {
    if (this.#current !== undefined || this.#closed) return;
    const job = this.#queue.next();
    if (job === undefined) return;
    this.#current = job;
    this.#thread ??= this.#start();
    this.#thread.ref();
    const { bytes, bounds } = job;
    this.#thread.postMessage({ bytes, bounds } satisfies LargeBody, movable(bytes));
    this.#timer = setTimeout(() => this.#failed(), this.#options.parseMs);
  }

  #start(): Worker {
    const thread = new Worker(this.#options.program, { name: 'parse-bodies', resourceLimits: threadLimits });
    const whenMine = (then: () => void) => (): void => {
      if (this.#thread === thread) then();
    };
    thread.on('message', (parsed: ParsedBody) => whenMine(() => this.#parsed(parsed))());
    thread.on(
      'messageerror',
      whenMine(() => this.#failed()),
    );
    thread.on(
      'error',
      whenMine(() => this.#failed()),
    );
    thread.on(
      'exit',
      whenMine(() => this.#failed()),
    );
    return thread;
  }

  #parsed(parsed: ParsedBody): void {
    this.#thread?.unref();
    this.#settle()?.resolve(parsed);
    this.#go();
  }

  /** The body might have killed the thread, so it is not tried again; the next body gets a new thread. */
  #failed(): void {
    const job = this.#settle();
    void this.#drop();
    job?.reject(unavailable('The body could not be parsed in time.'));
    this.#go();
  }

  #settle(): Job | undefined {
    const job = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timer);
    return job;
  }

  async #drop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

const stopping = (): Error => unavailable('The service is stopping.');

/** A body with its own buffer is moved to the thread without a copy. */
function movable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
