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

/** How many that are not quick one owner may have for one more to begin of which nothing is known: others find a place. */
const ownMax = 5;

interface Waiting {
  readonly asking: Done[];
  newestAtMs: number;
}

/** By name; those of an owner begin in the order in which they were asked for. */
type Names = Map<string, Waiting>;

interface Running {
  readonly asking: Done[];
  readonly owner: string;
  readonly kind: Kind;
}

export const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

export class Lookups {
  readonly #resolve: Resolve;
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  /** By name: whether its last answer took long. */
  readonly #known = new BoundedCache<boolean>(namesMax);
  readonly #running = new Map<string, Running>();
  /** By owner, in the order of turns. */
  readonly #waiting: Readonly<Record<Kind, Map<string, Names>>> = {
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

  /**
   * Those who ask for a name while it is looked up get the same answer. `owner`: whose turn it takes; without it, that of
   * all who name none, who have nobody to leave room for.
   */
  ask(hostname: string, done: Done, owner = ''): void {
    const running = this.#running.get(hostname);
    if (running !== undefined) return void running.asking.push(done);
    const ofKind = this.#waiting[this.#kindOf(hostname)];
    const names = ofKind.get(owner) ?? new Map<string, Waiting>();
    if (names.size === 0) ofKind.set(owner, names);
    const known = names.get(hostname);
    if (known === undefined) names.set(hostname, { asking: [done], newestAtMs: this.#nowMs() });
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
      // An owner that had its turn is put at the end, where this loop meets it again.
      for (const [owner, names] of this.#waiting[kind]) {
        this.#dropLate(names);
        const [hostname] = names.keys();
        if (hostname === undefined) this.#waiting[kind].delete(owner);
        else if (this.#running.size < places && !(kind === 'unknown' && this.#hasEnough(owner)))
          this.#takeTurn(hostname, { owner, kind });
      }
    }
  }

  #takeTurn(hostname: string, { owner, kind }: Omit<Running, 'asking'>): void {
    const asking = this.#takeOut(hostname);
    const left = this.#waiting[kind].get(owner);
    this.#waiting[kind].delete(owner);
    if (left !== undefined && left.size > 0) this.#waiting[kind].set(owner, left);
    this.#run(hostname, { asking, owner, kind });
  }

  /** All who wait for the name, whoever they are. */
  #takeOut(hostname: string): Done[] {
    const asking: Done[] = [];
    for (const [kind] of placesOf)
      for (const names of this.#waiting[kind].values()) {
        asking.push(...(names.get(hostname)?.asking ?? []));
        names.delete(hostname);
      }
    return asking;
  }

  #run(hostname: string, running: Running): void {
    this.#running.set(hostname, running);
    const beganAtMs = this.#nowMs();
    this.#resolve(hostname, (error, addresses) => {
      this.#running.delete(hostname);
      this.#known.set(hostname, this.#nowMs() - beganAtMs >= slowMs, 1);
      tellAll(running.asking, error, error === null ? addresses : []);
      this.#begin();
    });
  }

  #dropLate(names: Names): void {
    for (const [hostname, { asking, newestAtMs }] of names) {
      if (this.#nowMs() - newestAtMs <= this.#patienceMs) return;
      names.delete(hostname);
      tellAll(asking, unanswered(hostname), []);
    }
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
