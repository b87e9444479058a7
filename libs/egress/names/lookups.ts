// Looks names up, so that those whose name servers do not answer leave room for all others.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BoundedCache } from '../../primitives/collections/bounded-cache.ts';

type Done = (error: Error | null, addresses: LookupAddress[]) => void;
export type Resolve = (hostname: string, done: Done) => void;

/**
 * libuv runs look-ups on half of its threads at most, and every start script gives it 16 (`UV_THREADPOOL_SIZE`). A
 * look-up cannot be cancelled: without an answer it keeps its thread for ten seconds and more.
 */
const atOnceMax = 8;
/** Little of the time that a connection may take is left then: such a name is as good as one without an answer. */
const slowMs = 2_000;
/** Names of which it is kept how they were answered, at some 100 bytes each. */
const namesMax = 10_000;

type Kind = 'slow' | 'unknown' | 'quick';
/** How many look-ups may run for one more to begin: slow names leave four places, and unknown ones two, to quick ones. */
const placesOf: readonly (readonly [Kind, number])[] = [
  ['quick', atOnceMax],
  ['unknown', 6],
  ['slow', 4],
];

interface Waiting {
  readonly asking: Done[];
  newestAtMs: number;
}

export const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

export class Lookups {
  readonly #resolve: Resolve;
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  /** By name: whether its last answer took long. */
  readonly #known = new BoundedCache<boolean>(namesMax);
  readonly #running = new Map<string, Done[]>();
  readonly #waiting: Readonly<Record<Kind, Map<string, Waiting>>> = {
    quick: new Map(),
    unknown: new Map(),
    slow: new Map(),
  };

  /** `patienceMs`: nobody waits longer for an answer. */
  constructor(resolve: Resolve, patienceMs: number, nowMs: () => number = () => performance.now()) {
    this.#resolve = resolve;
    this.#patienceMs = patienceMs;
    this.#nowMs = nowMs;
  }

  /** Those who ask for a name while it is looked up get the same answer. */
  ask(hostname: string, done: Done): void {
    const running = this.#running.get(hostname);
    if (running !== undefined) return void running.push(done);
    const waiting = this.#waiting[this.#kindOf(hostname)];
    const known = waiting.get(hostname);
    if (known === undefined) waiting.set(hostname, { asking: [done], newestAtMs: this.#nowMs() });
    else {
      known.asking.push(done);
      known.newestAtMs = this.#nowMs();
    }
    this.#begin();
  }

  #kindOf(hostname: string): Kind {
    const isSlow = this.#known.get(hostname);
    if (isSlow === undefined) return 'unknown';
    return isSlow ? 'slow' : 'quick';
  }

  #begin(): void {
    for (const [kind, places] of placesOf) {
      for (const [hostname, waiting] of this.#waiting[kind]) {
        const isLate = this.#nowMs() - waiting.newestAtMs > this.#patienceMs;
        if (!isLate && this.#running.size >= places) break;
        this.#waiting[kind].delete(hostname);
        if (isLate) tellAll(waiting.asking, unanswered(hostname), []);
        else this.#run(hostname, waiting.asking);
      }
    }
  }

  #run(hostname: string, asking: Done[]): void {
    this.#running.set(hostname, asking);
    const beganAtMs = this.#nowMs();
    this.#resolve(hostname, (error, addresses) => {
      this.#running.delete(hostname);
      this.#known.set(hostname, this.#nowMs() - beganAtMs >= slowMs, 1);
      tellAll(asking, error, error === null ? addresses : []);
      this.#begin();
    });
  }
}

const tellAll = (asking: readonly Done[], error: Error | null, addresses: LookupAddress[]): void => {
  for (const one of asking) one(error, addresses);
};

const unanswered = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} was not looked up in time.`), { code: 'EAI_AGAIN' });
