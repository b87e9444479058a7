// Looks names up, so that names whose servers do not answer leave room for all others.
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BoundedCache } from '../../primitives/collections/bounded-cache.ts';
import { TurnsOfOwners } from '../../primitives/sharing/turns-of-owners.ts';

type Done = (error: Error | null, addresses: LookupAddress[]) => void;
export type Resolve = (hostname: string, done: Done) => void;

/**
 * libuv runs look-ups on half of its threads at most, and every start script gives it 16 (`UV_THREADPOOL_SIZE`). A
 * look-up cannot be cancelled: without an answer it keeps its thread for ten seconds and more.
 */
const atOnceMax = 8;
/** Slower look-ups leave little of a connection's time: such a name is treated as one without an answer. */
const slowMs = 2_000;
/** Names whose last look-up is remembered, at some 100 bytes each. */
const namesMax = 10_000;

type Kind = 'slow' | 'unknown' | 'quick';
/** By kind: a look-up begins while fewer than this many run, so that places are left to quicker names. */
const placesOf: readonly (readonly [Kind, number])[] = [
  ['quick', atOnceMax],
  ['unknown', 6],
  ['slow', 4],
];

/** Look-ups of an owner that are not quick, below which it can begin an unknown one: this leaves places to others. */
const ownMax = 5;

/** A name whose look-up an owner waits for. */
interface Waiting {
  readonly hostname: string;
  readonly owner: string;
  readonly kind: Kind;
  readonly asking: Done[];
  newestAtMs: number;
}

interface Running {
  readonly asking: Done[];
  readonly owner: string;
  readonly kind: Kind;
}

const turnsOfOwners = (): TurnsOfOwners<Waiting> => new TurnsOfOwners(({ owner }) => owner);

export const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

export class Lookups {
  readonly #resolve: Resolve;
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  /** By name: whether its last look-up was slow. */
  readonly #known = new BoundedCache<boolean>(namesMax);
  readonly #running = new Map<string, Running>();
  /** By name, in the order of asking; then by owner. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  readonly #turns: Readonly<Record<Kind, TurnsOfOwners<Waiting>>> = {
    quick: turnsOfOwners(),
    unknown: turnsOfOwners(),
    slow: turnsOfOwners(),
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
  ask(hostname: string, done: Done, owner = ''): void {
    const running = this.#running.get(hostname);
    if (running !== undefined) return void running.asking.push(done);
    const waiting = this.#waitingOf(hostname, owner);
    waiting.asking.push(done);
    waiting.newestAtMs = this.#nowMs();
    this.#begin();
  }

  #waitingOf(hostname: string, owner: string): Waiting {
    const owners = this.#waiting.get(hostname) ?? new Map<string, Waiting>();
    const known = owners.get(owner);
    if (known !== undefined) return known;
    const waiting = { hostname, owner, kind: this.#kindOf(hostname), asking: [], newestAtMs: 0 };
    this.#waiting.set(hostname, owners.set(owner, waiting));
    this.#turns[waiting.kind].add(waiting);
    return waiting;
  }

  #kindOf(hostname: string): Kind {
    const isSlow = this.#known.get(hostname);
    if (isSlow === undefined) return 'unknown';
    return isSlow ? 'slow' : 'quick';
  }

  /** Begins look-ups, one step for each name that begins, however many wait. */
  #begin(): void {
    this.#dropLate();
    for (const [kind, places] of placesOf) {
      const mayBegin = (owner: string): boolean => kind !== 'unknown' || !this.#hasEnough(owner);
      while (this.#running.size < places) {
        const next = this.#turns[kind].take(mayBegin);
        if (next === undefined) break;
        if (this.#isLate(next)) this.#drop(next);
        else this.#run(next);
      }
    }
  }

  /** Looks the name up for every owner that waits for it. */
  #run({ hostname, owner, kind }: Waiting): void {
    const all = [...(this.#waiting.get(hostname)?.values() ?? [])];
    this.#waiting.delete(hostname);
    for (const one of all) this.#turns[one.kind].delete(one);
    const asking = all.flatMap((one) => one.asking);
    this.#running.set(hostname, { asking, owner, kind });
    const beganAtMs = this.#nowMs();
    this.#resolve(hostname, (error, addresses) => {
      this.#running.delete(hostname);
      this.#known.set(hostname, this.#nowMs() - beganAtMs >= slowMs, 1);
      tellAll(asking, error, error === null ? addresses : []);
      this.#begin();
    });
  }

  #isLate({ newestAtMs }: Waiting): boolean {
    return this.#nowMs() - newestAtMs > this.#patienceMs;
  }

  /**
   * Fails waits that are too late, up to the first that is not: the others fail when it is their turn, at the latest.
   */
  #dropLate(): void {
    for (const owners of this.#waiting.values())
      for (const waiting of owners.values()) {
        if (!this.#isLate(waiting)) return;
        this.#turns[waiting.kind].delete(waiting);
        this.#drop(waiting);
      }
  }

  #drop({ hostname, owner, asking }: Waiting): void {
    const owners = this.#waiting.get(hostname);
    owners?.delete(owner);
    if (owners?.size === 0) this.#waiting.delete(hostname);
    tellAll(asking, unanswered(hostname), []);
  }

  #hasEnough(owner: string): boolean {
    if (owner === '') return false;
    let own = 0;
    for (const running of this.#running.values()) if (running.owner === owner && running.kind !== 'quick') own++;
    return own >= ownMax;
  }
}

const tellAll = (asking: readonly Done[], error: Error | null, addresses: LookupAddress[]): void => {
  for (const one of asking) one(error, addresses);
};

const unanswered = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} was not looked up in time.`), { code: 'EAI_AGAIN' });
