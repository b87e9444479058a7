// Runs jobs in a few processes, one job each at a time: starts them when there is work, and replaces those that die.
import { RoundQueue } from './round-queue.ts';

/** No process is available for a job: too many jobs wait, which can pass, or the pool was closed. */
export class NoWorkerError extends Error {
  readonly code: 'unavailable' | 'closed';

  constructor(code: NoWorkerError['code'], message: string) {
    super(message);
    this.name = 'NoWorkerError';
    this.code = code;
  }
}

export interface Worker {
  readonly isDead: boolean;
}

export interface WorkerPoolOptions<W extends Worker> {
  /** What the processes do, for errors. */
  readonly what: string;
  readonly size: number;
  readonly spawn: () => W;
  /** Ends a process that is no longer needed. */
  readonly dismiss: (worker: W) => void;
  /** The most jobs that can wait; absent: `waitingMax`. */
  readonly waitingMax?: number;
}

/** The most jobs that wait; the runtime's slots allow a tenth of it at most, so that more is a programming error. */
const waitingMax = 1_000;
/** A job is tried again when its process dies, because something else can be the cause. */
const triesMax = 2;
/** How long an idle process is kept, except one: it takes 60 MB, and a new one takes 150 ms to start. */
const idleMs = 30_000;
const keptMin = 1;

interface Place<W> {
  worker: W | undefined;
  /** The caller whose job it has. */
  caller: string | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Called with undefined when the pool was closed. */
type Enter<W> = (place: Place<W> | undefined) => void;

export class WorkerPool<W extends Worker> {
  readonly #options: WorkerPoolOptions<W>;
  readonly #places: readonly Place<W>[];
  readonly #waiting = new RoundQueue<{ readonly caller: string; readonly enter: Enter<W> }>();
  #closed = false;

  constructor(options: WorkerPoolOptions<W>) {
    this.#options = options;
    this.#places = Array.from({ length: options.size }, () => ({
      worker: undefined,
      caller: undefined,
      idle: undefined,
    }));
  }

  get workers(): readonly W[] {
    return this.#places.flatMap(({ worker }) => (worker && !worker.isDead ? [worker] : []));
  }

  /**
   * `job` resolves with undefined when its process died; it is then tried once more, in a fresh process. Undefined when
   * that one dies too. Callers take turns, and no caller has every process. Throws NoWorkerError when too many wait, or
   * when the pool was closed.
   */
  async employ<T>(caller: string, job: (worker: W) => Promise<T | undefined>): Promise<T | undefined> {
    const place = await this.#enter(caller);
    try {
      for (let tried = 0; tried < triesMax; tried++) {
        if (this.#closed) throw this.#closedError();
        const result = await job(this.#workerOf(place));
        if (result !== undefined) return result;
      }
      return undefined;
    } finally {
      this.#leave(place);
    }
  }

  /** Starts a process ahead of the first job, unless there is one. */
  prepare(): void {
    const [place] = this.#places;
    if (!this.#closed && place !== undefined && this.workers.length === 0) this.#workerOf(place);
  }

  /** Ends every process; waiting callers are rejected. */
  close(): void {
    this.#closed = true;
    for (const { worker, idle } of this.#places) {
      clearTimeout(idle);
      if (worker) this.#options.dismiss(worker);
    }
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next.enter(undefined);
  }

  async #enter(caller: string): Promise<Place<W>> {
    if (this.#closed) throw this.#closedError();
    const { waitingMax: max = waitingMax } = this.#options;
    if (this.#waiting.size >= max) {
      throw new NoWorkerError('unavailable', `More than ${max} wait for a ${this.#options.what}; try again`);
    }
    const { promise, resolve } = Promise.withResolvers<Place<W> | undefined>();
    this.#waiting.push(caller, { caller, enter: resolve });
    this.#advance();
    const place = await promise;
    if (!place) throw this.#closedError();
    return place;
  }

  #advance(): void {
    for (;;) {
      const free = this.#places.filter(({ caller }) => caller === undefined);
      const place = free.find(({ worker }) => worker && !worker.isDead) ?? free[0];
      const next = place && this.#waiting.shift((caller) => this.#mayEnter(caller));
      if (!next) return;
      clearTimeout(place.idle);
      place.caller = next.caller;
      next.enter(place);
    }
  }

  /** Whether the caller can have another process: one always stays for other callers. */
  #mayEnter(caller: string): boolean {
    const own = this.#places.filter((place) => place.caller === caller).length;
    return own < Math.max(1, this.#places.length - 1);
  }

  #workerOf(place: Place<W>): W {
    if (!place.worker || place.worker.isDead) place.worker = this.#options.spawn();
    return place.worker;
  }

  #leave(place: Place<W>): void {
    place.caller = undefined;
    place.idle = setTimeout(() => this.#rest(place), idleMs).unref();
    this.#advance();
  }

  #rest(place: Place<W>): void {
    if (!place.worker || this.workers.length <= keptMin) return;
    this.#options.dismiss(place.worker);
    place.worker = undefined;
  }

  #closedError(): NoWorkerError {
    return new NoWorkerError('closed', `No ${this.#options.what} any more: it has been closed`);
  }
}
