// A few processes that take one job each at a time: started when there is work, replaced when they die of it.
import { PortError } from '../../../domain/port-error.ts';
import { RoundQueue } from './round-queue.ts';

export interface Worker {
  readonly isDead: boolean;
}

export interface CrewOptions<W extends Worker> {
  /** What they do, for errors. */
  readonly what: string;
  readonly size: number;
  readonly spawn: () => W;
  /** Ends one that is not needed any more. */
  readonly dismiss: (worker: W) => void;
}

/** Jobs that wait; the runtime's slots give a tenth of it at most, so that more is a mistake of ours. */
const waitingMax = 1_000;
/** A job is tried again when its process dies of it, because another reason is possible. */
const triesMax = 2;
/** An idle process takes 60 MB; the next one takes 150 ms to start. One is kept for the next job. */
const idleMs = 30_000;
const keptMin = 1;

interface Place<W> {
  worker: W | undefined;
  busy: boolean;
  idle: NodeJS.Timeout | undefined;
}

export class Crew<W extends Worker> {
  readonly #options: CrewOptions<W>;
  readonly #places: readonly Place<W>[];
  readonly #waiting = new RoundQueue<(place: Place<W> | undefined) => void>();
  #closed = false;

  constructor(options: CrewOptions<W>) {
    this.#options = options;
    this.#places = Array.from({ length: options.size }, () => ({ worker: undefined, busy: false, idle: undefined }));
  }

  get workers(): readonly W[] {
    return this.#places.flatMap(({ worker }) => (worker && !worker.isDead ? [worker] : []));
  }

  /**
   * A job gives undefined when its process died of it: then it is tried once more, in a fresh one, and undefined is the
   * result when that dies too. Callers take turns. Throws PortError when too many wait, or when it has been closed.
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

  /** Starts the first process already, for a job that is about to come. */
  prepare(): void {
    const [place] = this.#places;
    if (place && !this.#closed && this.workers.length === 0 && !place.busy) this.#workerOf(place);
  }

  /** Ends every process; who waits is refused. */
  close(): void {
    this.#closed = true;
    for (const { worker, idle } of this.#places) {
      clearTimeout(idle);
      if (worker) this.#options.dismiss(worker);
    }
    for (let enter = this.#waiting.shift(); enter; enter = this.#waiting.shift()) enter(undefined);
  }

  async #enter(caller: string): Promise<Place<W>> {
    if (this.#closed) throw this.#closedError();
    const free = this.#places.filter(({ busy }) => !busy);
    const place = free.find(({ worker }) => worker && !worker.isDead) ?? free[0];
    if (place) return this.#take(place);
    if (this.#waiting.size >= waitingMax) {
      throw new PortError('unavailable', `More than ${waitingMax} wait for ${this.#options.what}; try again`);
    }
    const { promise, resolve } = Promise.withResolvers<Place<W> | undefined>();
    this.#waiting.push(caller, resolve);
    const given = await promise;
    if (!given) throw this.#closedError();
    return given;
  }

  #take(place: Place<W>): Place<W> {
    clearTimeout(place.idle);
    place.busy = true;
    return place;
  }

  #workerOf(place: Place<W>): W {
    if (!place.worker || place.worker.isDead) place.worker = this.#options.spawn();
    return place.worker;
  }

  /** The place goes to the next one as it is, so that nobody else comes first. */
  #leave(place: Place<W>): void {
    const next = this.#waiting.shift();
    if (next) {
      next(place);
      return;
    }
    place.busy = false;
    place.idle = setTimeout(() => this.#rest(place), idleMs).unref();
  }

  #rest(place: Place<W>): void {
    if (!place.worker || this.workers.length <= keptMin) return;
    this.#options.dismiss(place.worker);
    place.worker = undefined;
  }

  #closedError(): PortError {
    return new PortError('closed', `No ${this.#options.what} any more: it has been closed`);
  }
}
