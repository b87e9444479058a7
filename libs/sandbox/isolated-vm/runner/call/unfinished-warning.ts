// Warns a component's author, on the console, of requests and timers that are dropped because their run has ended.
import type { Call } from './call.ts';

/** Counts what is unfinished of an invocation. */
interface UnfinishedCounter {
  countOf(id: number): number;
}

export class UnfinishedWarning {
  readonly #timers: UnfinishedCounter;
  readonly #requests: UnfinishedCounter;
  #hasWarned = false;

  constructor(timers: UnfinishedCounter, requests: UnfinishedCounter) {
    this.#timers = timers;
    this.#requests = requests;
  }

  /** Warns once for each load, since every run does the same. Call when the promise of `run` or a hook has settled. */
  warn({ id, done, console }: Call): void {
    // A failed run is not warned: its error is more important, and it naturally leaves work unfinished.
    if (this.#hasWarned || done !== null) return;
    const [requests, timers] = [this.#requests.countOf(id), this.#timers.countOf(id)];
    if (requests + timers === 0) return;
    this.#hasWarned = true;
    const what = [...countText(requests, 'request'), ...countText(timers, 'timer')].join(' and ');
    console.add('warn', `This ended before ${what} of it: what was to follow, such as $emit, is dropped. ${advice}`);
  }
}

const advice =
  'Await what must still happen, and clear or unref() other timers. This is said once until the next load.';

const countText = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];
