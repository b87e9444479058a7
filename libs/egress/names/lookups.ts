// Looks names up, so that names whose servers do not answer leave room for all others.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BoundedCache } from '../../primitives/collections/bounded-cache.ts';
import { FairQueue } from '../../primitives/sharing/fair-queue.ts';

type LookupCallback = (error: Error | null, addresses: LookupAddress[]) => void;
export type Resolve = (hostname: string, done: LookupCallback) => void;

/**
 * libuv runs look-ups on half of its threads at most, and every start script gives it 16 (`UV_THREADPOOL_SIZE`). A
 * look-up cannot be cancelled: without an answer it keeps its thread for ten seconds and more.
 */
const concurrencyMax = 8;
/** Slower look-ups leave little of a connection's time: such a name is treated as one without an answer. */
const slowMs = 2_000;
/** Names whose last look-up is remembered, at some 100 bytes each. */
const namesMax = 10_000;

type Kind = 'slow' | 'unknown' | 'quick';
/** By kind: a look-up begins while fewer than this many run, so that places are left to quicker names. */
const slotsByKind: readonly (readonly [Kind, number])[] = [
  ['quick', concurrencyMax],
  ['unknown', 6],
  ['slow', 4],
];

/** Look-ups of an owner that are not quick, below which it can begin an unknown one: this leaves places to others. */
const ownerSlotsMax = 5;

/** A name whose look-up an owner waits for. */
interface WaitingLookup {
  readonly hostname: string;
  readonly owner: string;
  readonly kind: Kind;
  readonly callbacks: LookupCallback[];
  newestAtMs: number;
}

interface RunningLookup {
  readonly callbacks: LookupCallback[];
  readonly owner: string;
  readonly kind: Kind;
}

const newFairQueue = (): FairQueue<WaitingLookup> => new FairQueue(({ owner }) => owner);

export const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

export class Lookups {
  readonly #resolve: Resolve;
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  /** By name: whether its last look-up was slow. */
  readonly #wasSlow = new BoundedCache<boolean>(namesMax);
  readonly #running = new Map<string, RunningLookup>();
  /** By name, in the order of asking; then by owner. */
  readonly #waiting = new Map<string, Map<string, WaitingLookup>>();
  readonly #turns: Readonly<Record<Kind, FairQueue<WaitingLookup>>> = {
    quick: newFairQueue(),
    unknown: newFairQueue(),
    slow: newFairQueue(),
  };

  /** `patienceMs`: the longest wait for an answer. */
  constructor(resolve: Resolve, patienceMs: number, nowMs: () => number = () => performance.now()) {
    this.#resolve = resolve;
    this.#patienceMs = patienceMs;
    this.#nowMs = nowMs;
  }

  /**
   * Calls that ask for a name during its look-up share the answer. `owner`: whose turn it uses; without it, the turn of
   * all calls without an owner, which need not leave room for others.
   */
  ask(hostname: string, done: LookupCallback, owner = ''): void {
    const running = this.#running.get(hostname);
    if (running !== undefined) return void running.callbacks.push(done);
    const waiting = this.#waitingOf(hostname, owner);
    waiting.callbacks.push(done);
    waiting.newestAtMs = this.#nowMs();
    this.#startLookups();
  }

  #waitingOf(hostname: string, owner: string): WaitingLookup {
    const owners = this.#waiting.get(hostname) ?? new Map<string, WaitingLookup>();
    const known = owners.get(owner);
    if (known !== undefined) return known;
    const waiting = { hostname, owner, kind: this.#kindOf(hostname), callbacks: [], newestAtMs: 0 };
    this.#waiting.set(hostname, owners.set(owner, waiting));
    this.#turns[waiting.kind].add(waiting);
    return waiting;
  }

  #kindOf(hostname: string): Kind {
    const isSlow = this.#wasSlow.get(hostname);
    if (isSlow === undefined) return 'unknown';
    return isSlow ? 'slow' : 'quick';
  }

  /** Begins look-ups, one step for each name that begins, however many wait. */
  #startLookups(): void {
    this.#failLate();
    for (const [kind, slots] of slotsByKind) {
      const canBegin = (owner: string): boolean => kind !== 'unknown' || !this.#isAtLimit(owner);
      while (this.#running.size < slots) {
        const next = this.#turns[kind].take(canBegin);
        if (next === undefined) break;
        if (this.#isLate(next)) this.#fail(next);
        else this.#run(next);
      }
    }
  }

  /** Looks the name up for every owner that waits for it. */
  #run({ hostname, owner, kind }: WaitingLookup): void {
    const waitingLookups = [...(this.#waiting.get(hostname)?.values() ?? [])];
    this.#waiting.delete(hostname);
    for (const waiting of waitingLookups) this.#turns[waiting.kind].delete(waiting);
    const callbacks = waitingLookups.flatMap((one) => one.callbacks);
    this.#running.set(hostname, { callbacks, owner, kind });
    const beganAtMs = this.#nowMs();
    this.#resolve(hostname, (error, addresses) => {
      this.#running.delete(hostname);
      this.#wasSlow.set(hostname, this.#nowMs() - beganAtMs >= slowMs, 1);
      notifyAll(callbacks, error, error === null ? addresses : []);
      this.#startLookups();
    });
  }

  #isLate({ newestAtMs }: WaitingLookup): boolean {
    return this.#nowMs() - newestAtMs > this.#patienceMs;
  }

  /**
   * Fails waits that are too late, up to the first that is not: the others fail when it is their turn, at the latest.
   */
  #failLate(): void {
    for (const owners of this.#waiting.values())
      for (const waiting of owners.values()) {
        if (!this.#isLate(waiting)) return;
        this.#turns[waiting.kind].delete(waiting);
        this.#fail(waiting);
      }
  }

  #fail({ hostname, owner, callbacks }: WaitingLookup): void {
    const owners = this.#waiting.get(hostname);
    owners?.delete(owner);
    if (owners?.size === 0) this.#waiting.delete(hostname);
    notifyAll(callbacks, lookupTimeoutError(hostname), []);
  }

  #isAtLimit(owner: string): boolean {
    if (owner === '') return false;
    let own = 0;
    for (const running of this.#running.values()) if (running.owner === owner && running.kind !== 'quick') own++;
    return own >= ownerSlotsMax;
  }
}

const notifyAll = (callbacks: readonly LookupCallback[], error: Error | null, addresses: LookupAddress[]): void => {
  for (const callback of callbacks) callback(error, addresses);
};

const lookupTimeoutError = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} was not looked up in time.`), { code: 'EAI_AGAIN' });
