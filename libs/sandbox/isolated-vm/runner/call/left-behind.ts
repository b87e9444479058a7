// What a run has left unfinished is dropped when it ends: its author is told, because nobody else will.
import type { Call } from './call.ts';

/** Counts what an invocation still waits for. */
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

  /** Once for a loaded component: it does the same in every run. Call when what `run` or a hook returned has settled. */
  tell({ id, done, console }: Call): void {
    // A failed one has something more important to say, and leaves behind what it failed amid.
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
