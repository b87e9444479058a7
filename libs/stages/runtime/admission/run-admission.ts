// Decides which runs may begin: quick runs share slots that none keeps for long; memory bounds the longer runs.
import type { Pace, Capacity } from '../../../sandbox/sandbox.ts';
import { Slots } from './slots.ts';
import type { SourcePace } from './pace-records.ts';

export interface Claim {
  readonly workspace: string;
  readonly sourcePace: SourcePace;
  /** Called once, when the run may begin; `release` must follow. */
  readonly begin: () => void;
}

export interface RunAdmissionOptions {
  /** The most runs at once that have not lasted `quickMs` yet. */
  readonly quickMax: number;
  /** How many of these may be runs of new sources: never all of them. */
  readonly newMax: number;
  /** The most runs at once of sources known to need the processor for long. */
  readonly heavyMax: number;
  readonly quickMs: number;
  /** The fraction of the slow processes' memory that new sources leave to others. */
  readonly newReserve: number;
  /** The fraction of that memory that sources known to be slow leave to others. */
  readonly slowReserve: number;
  readonly room: (pace: Pace) => Capacity;
}

interface HeldSlots {
  readonly untilEnd: readonly Slots[];
  /** Slots released when the run has lasted `quickMs`. */
  untilLong: readonly Slots[];
  beganAt: number;
}

/** How often to look for runs that have become long, and for memory that has become free. */
const checkMs = 100;
/** Runs that become long release their slots only while more than this part of their pace's memory is free. */
const longReserve = 0.05;

export class RunAdmission {
  readonly #options: RunAdmissionOptions;
  readonly #quick: Slots;
  readonly #new: Slots;
  readonly #heavy: Slots;
  readonly #newMemory: Slots;
  readonly #slowMemory: Slots;
  readonly #held = new Map<Claim, HeldSlots>();
  /** Claims that still hold quick slots, the oldest first. */
  readonly #quickHolders = new Set<Claim>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RunAdmissionOptions) {
    const { quickMax, newMax, heavyMax, newReserve, slowReserve, room } = options;
    this.#options = options;
    this.#quick = new Slots(quickMax);
    this.#new = new Slots(newMax);
    this.#heavy = new Slots(heavyMax);
    this.#newMemory = new Slots(() => availableIn(room('slow'), newReserve));
    this.#slowMemory = new Slots(() => availableIn(room('slow'), slowReserve));
  }

  request(claim: Claim): void {
    switch (claim.sourcePace) {
      case 'quick':
        return this.#acquire(claim, [], [this.#quick]);
      case 'new':
        return this.#acquire(claim, [this.#newMemory], [this.#new, this.#quick]);
      case 'waiting':
        return this.#acquire(claim, [this.#slowMemory], []);
      case 'heavy':
        return this.#acquire(claim, [this.#heavy, this.#slowMemory], []);
    }
  }

  /** For a claim that began, whether or not its run happened. */
  release(claim: Claim): void {
    const held = this.#held.get(claim);
    if (held === undefined) return;
    this.#held.delete(claim);
    this.#quickHolders.delete(claim);
    for (const slots of [...held.untilLong, ...held.untilEnd]) slots.release(claim.workspace);
  }

  /** Keeps the slots for another run, as if it had just begun. False: others wait for them, so request again. */
  renew(claim: Claim): boolean {
    const held = this.#held.get(claim);
    if (held === undefined || !this.#quickHolders.has(claim) || held.untilLong.some(({ hasWaiters }) => hasWaiters))
      return false;
    held.beganAt = performance.now();
    this.#quickHolders.delete(claim);
    this.#quickHolders.add(claim);
    return true;
  }

  /** Whether no other claim waits for the slots that this one holds. */
  isUncontended(claim: Claim): boolean {
    const held = this.#held.get(claim);
    return held !== undefined && [...held.untilLong, ...held.untilEnd].every(({ hasWaiters }) => !hasWaiters);
  }

  #acquire(claim: Claim, untilEnd: readonly Slots[], untilLong: readonly Slots[]): void {
    // A slot first, then the memory, so that a run that waits for a slot does not count as using memory.
    const [first, ...others] = untilLong;
    const order =
      claim.sourcePace === 'new' && first !== undefined ? [first, ...untilEnd, ...others] : [...untilEnd, ...untilLong];
    const acquireNext = (at: number): void => {
      const slots = order[at];
      if (slots === undefined) this.#admit(claim, untilEnd, untilLong);
      else slots.acquire(claim.workspace, () => acquireNext(at + 1));
    };
    acquireNext(0);
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
  }

  #admit(claim: Claim, untilEnd: readonly Slots[], untilLong: readonly Slots[]): void {
    this.#held.set(claim, { untilEnd, untilLong, beganAt: performance.now() });
    if (untilLong.length > 0) this.#quickHolders.add(claim);
    claim.begin();
  }

  #check(): void {
    const { quickMs, room } = this.#options;
    const now = performance.now();
    for (const claim of this.#quickHolders) {
      const held = this.#held.get(claim);
      if (held === undefined || now - held.beganAt < quickMs) break;
      if (availableIn(room(paceOf(claim.sourcePace)), longReserve) <= 0) continue;
      this.#quickHolders.delete(claim);
      const { untilLong } = held;
      held.untilLong = [];
      for (const slots of untilLong) slots.release(claim.workspace);
    }
    for (const slots of [this.#newMemory, this.#slowMemory]) slots.advance();
    if (this.#held.size > 0 || this.#hasWaiters()) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #hasWaiters(): boolean {
    const all = [this.#quick, this.#new, this.#heavy, this.#newMemory, this.#slowMemory];
    return all.some(({ hasWaiters }) => hasWaiters);
  }
}

/** Only a source that is known to be quick runs in the quick processes. */
export const paceOf = (sourcePace: SourcePace): Pace => (sourcePace === 'quick' ? 'quick' : 'slow');

const availableIn = ({ total: all, used: taken }: Capacity, reserve: number): number => all * (1 - reserve) - taken;
