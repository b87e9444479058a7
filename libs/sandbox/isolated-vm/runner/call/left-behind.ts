// Warns a component's author, on the console, of requests and timers that are dropped because their run has ended.
import type { Call } from './call.ts';

/** Counts what is unfinished of an invocation. */
interface Unfinished {
  countOf(id: number): number;
}

export class LeftBehind {
  readonly #timers: Unfinished;
  readonly #requests: Unfinished;
  #isTold = false;

  constructor(timers: Unfinished, requests: Unfinished) {
    this.#timers = timers;
    this.#requests = requests;
  }

  /** Warns once for each load, since every run does the same. Call when the promise of `run` or a hook has settled. */
  tell({ id, done, console }: Call): void {
    // A failed run is not warned: its error is more important, and it naturally leaves work unfinished.
    if (this.#isTold || done !== null) return;
    const [requests, timers] = [this.#requests.countOf(id), this.#timers.countOf(id)];
    if (requests + timers === 0) return;
    this.#isTold = true;
    const what = [...counted(requests, 'request'), ...counted(timers, 'timer')].join(' and ');
    console.add('warn', `This ended before ${what} of it: what was to follow, such as $emit, is dropped. ${advice}`);
  }
}

const advice =
  'Await what must still happen, and clear or unref() other timers. This is said once until the next load.';

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];
