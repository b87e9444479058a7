// Runs jobs in a few processes, one job each at a time: starts them when there is work, and replaces those that die.
import { RoundRobinQueue } from './round-robin-queue.ts';

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
const attemptsMax = 2;
/** How long an idle process is kept, except one: it takes 60 MB, and a new one takes 150 ms to start. */
const idleMs = 30_000;
const idleWorkersMin = 1;

interface Slot<W> {
  worker: W | undefined;
  /** The caller whose job it has. */
  caller: string | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Called with undefined when the pool was closed. */
type GrantSlot<W> = (slot: Slot<W> | undefined) => void;

export class WorkerPool<W extends Worker> {
  readonly #options: WorkerPoolOptions<W>;
  readonly #slots: readonly Slot<W>[];
  readonly #queue = new RoundRobinQueue<{ readonly caller: string; readonly enter: GrantSlot<W> }>();
  #closed = false;

  constructor(options: WorkerPoolOptions<W>) {
    this.#options = options;
    this.#slots = Array.from({ length: options.size }, () => ({
      worker: undefined,
      caller: undefined,
      idle: undefined,
    }));
  }

  get workers(): readonly W[] {
    return this.#slots.flatMap(({ worker }) => (worker && !worker.isDead ? [worker] : []));
  }

  /**
   * `job` resolves with undefined when its process died; it is then tried once more, in a fresh process. Undefined when
   * that one dies too. Callers take turns, and no caller has every process. Throws NoWorkerError when too many wait, or
   * when the pool was closed.
   */
  async runJob<T>(caller: string, job: (worker: W) => Promise<T | undefined>): Promise<T | undefined> {
    const slot = await this.#acquireSlot(caller);
    try {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        if (this.#closed) throw this.#closedError();
        const result = await job(this.#workerOf(slot));
        if (result !== undefined) return result;
      }
      return undefined;
    } finally {
      this.#releaseSlot(slot);
    }
  }

  /** Starts a process ahead of the first job, unless there is one. */
  prepare(): void {
    const [slot] = this.#slots;
    if (!this.#closed && slot !== undefined && this.workers.length === 0) this.#workerOf(slot);
  }

  /** Ends every process; waiting callers are rejected. */
  close(): void {
    this.#closed = true;
    for (const { worker, idle } of this.#slots) {
      clearTimeout(idle);
      if (worker) this.#options.dismiss(worker);
    }
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next.enter(undefined);
  }

  async #acquireSlot(caller: string): Promise<Slot<W>> {
    if (this.#closed) throw this.#closedError();
    const { waitingMax: max = waitingMax } = this.#options;
    if (this.#queue.size >= max) {
      throw new NoWorkerError('unavailable', `More than ${max} wait for a ${this.#options.what}; try again`);
    }
    const { promise, resolve } = Promise.withResolvers<Slot<W> | undefined>();
    this.#queue.push(caller, { caller, enter: resolve });
    this.#advance();
    const slot = await promise;
    if (!slot) throw this.#closedError();
    return slot;
  }

  #advance(): void {
    for (;;) {
      const free = this.#slots.filter(({ caller }) => caller === undefined);
      const slot = free.find(({ worker }) => worker && !worker.isDead) ?? free[0];
      const next = slot && this.#queue.shift((caller) => this.#canAcquire(caller));
      if (!next) return;
      clearTimeout(slot.idle);
      slot.caller = next.caller;
      next.enter(slot);
    }
  }

  /** Whether the caller can have another process: one always stays for other callers. */
  #canAcquire(caller: string): boolean {
    const own = this.#slots.filter((slot) => slot.caller === caller).length;
    return own < Math.max(1, this.#slots.length - 1);
  }

  #workerOf(slot: Slot<W>): W {
    if (!slot.worker || slot.worker.isDead) slot.worker = this.#options.spawn();
    return slot.worker;
  }

  #releaseSlot(slot: Slot<W>): void {
    slot.caller = undefined;
    slot.idle = setTimeout(() => this.#dismissIdle(slot), idleMs).unref();
    this.#advance();
  }

  #dismissIdle(slot: Slot<W>): void {
    if (!slot.worker || this.workers.length <= idleWorkersMin) return;
    this.#options.dismiss(slot.worker);
    slot.worker = undefined;
  }

  #closedError(): NoWorkerError {
    return new NoWorkerError('closed', `No ${this.#options.what} any more: it has been closed`);
  }
}
