// Runs at most N tasks at once; of the others, owners take turns, and the tasks of each owner begin in order.
import { TurnsOfOwners } from './turns-of-owners.ts';

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

export class Semaphore {
  readonly #waiting = new TurnsOfOwners<Waiting>(({ owner }) => owner);
  #free: number;

  constructor(atOnceMax: number) {
    this.#free = atOnceMax;
  }

  /** `owner`: whose turn it uses; tasks without an owner share one turn. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    if (this.#free === 0) await new Promise<void>((begin) => this.#waiting.add({ owner, begin }));
    else this.#free--;
    try {
      return await task();
    } finally {
      const next = this.#waiting.take();
      if (next === undefined) this.#free++;
      else next.begin();
    }
  }
}
