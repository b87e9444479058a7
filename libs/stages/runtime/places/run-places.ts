// Decides which runs may begin: quick runs share places that none keeps for long; memory bounds the longer runs.
import type { Pace, Room } from '../../../sandbox/sandbox.ts';
import { Slots } from './slots.ts';
import type { SourcePace } from './pace-records.ts';

export interface Claim {
  readonly workspace: string;
  readonly sourcePace: SourcePace;
  /** Called once, when the run may begin; `release` must follow. */
  readonly begin: () => void;
}

export interface RunPlacesOptions {
  /** The most runs at once that have not lasted `quickMs` yet. */
  readonly quickMax: number;
  /** How many of these may be runs of new sources: never all of them. */
  readonly newMax: number;
  /** The most runs at once of sources known to need the processor for long. */
  readonly heavyMax: number;
  readonly quickMs: number;
  /** The fraction of the slow processes' memory that new sources leave to others. */
  readonly newLeaves: number;
  /** The fraction of that memory that sources known to be slow leave to others. */
  readonly slowLeaves: number;
  readonly room: (pace: Pace) => Room;
}

interface Held {
  readonly untilEnd: readonly Slots[];
  /** Slots released when the run has lasted `quickMs`. */
  untilLong: readonly Slots[];
  beganAt: number;
}

/** How often to look for runs that have become long, and for memory that has become free. */
const checkMs = 100;
/** Runs that become long release their places only while more than this part of their pace's memory is free. */
const longLeaves = 0.05;

export class RunPlaces {
  readonly #options: RunPlacesOptions;
  readonly #quick: Slots;
  readonly #new: Slots;
  readonly #heavy: Slots;
  readonly #newMemory: Slots;
  readonly #slowMemory: Slots;
  readonly #held = new Map<Claim, Held>();
  /** Claims that still have a quick place, the oldest first. */
  readonly #young = new Set<Claim>();
  #checking: NodeJS.Timeout | undefined;

  constructor(options: RunPlacesOptions) {
    const { quickMax, newMax, heavyMax, newLeaves, slowLeaves, room } = options;
    this.#options = options;
    this.#quick = new Slots(quickMax);
    this.#new = new Slots(newMax);
    this.#heavy = new Slots(heavyMax);
    this.#newMemory = new Slots(() => left(room('slow'), newLeaves));
    this.#slowMemory = new Slots(() => left(room('slow'), slowLeaves));
  }

  take(claim: Claim): void {
    switch (claim.sourcePace) {
      case 'quick':
        return this.#enter(claim, [], [this.#quick]);
      case 'new':
        return this.#enter(claim, [this.#newMemory], [this.#new, this.#quick]);
      case 'waiting':
        return this.#enter(claim, [this.#slowMemory], []);
      case 'heavy':
        return this.#enter(claim, [this.#heavy, this.#slowMemory], []);
    }
  }

  /** For a claim that began, whether or not its run happened. */
  release(claim: Claim): void {
    const held = this.#held.get(claim);
    if (held === undefined) return;
    this.#held.delete(claim);
    this.#young.delete(claim);
    for (const slots of [...held.untilLong, ...held.untilEnd]) slots.release(claim.workspace);
  }

  /** Keeps the place for another run, as if it had just begun. False: others wait for it, so take a place again. */
  renew(claim: Claim): boolean {
    const held = this.#held.get(claim);
    if (held === undefined || !this.#young.has(claim) || held.untilLong.some(({ isWaitedFor }) => isWaitedFor))
      return false;
    held.beganAt = performance.now();
    this.#young.delete(claim);
    this.#young.add(claim);
    return true;
  }

  /** Whether no other claim waits for the slots that this one holds. */
  mayStay(claim: Claim): boolean {
    const held = this.#held.get(claim);
    return held !== undefined && [...held.untilLong, ...held.untilEnd].every(({ isWaitedFor }) => !isWaitedFor);
  }

  #enter(claim: Claim, untilEnd: readonly Slots[], untilLong: readonly Slots[]): void {
    // A place first, then the memory, so that a run that waits for a place does not count as using memory.
    const [first, ...others] = untilLong;
    const order =
      claim.sourcePace === 'new' && first !== undefined ? [first, ...untilEnd, ...others] : [...untilEnd, ...untilLong];
    const next = (at: number): void => {
      const slots = order[at];
      if (slots === undefined) this.#begin(claim, untilEnd, untilLong);
      else slots.take(claim.workspace, () => next(at + 1));
    };
    next(0);
    this.#checking ??= setInterval(() => this.#check(), checkMs).unref();
  }

  #begin(claim: Claim, untilEnd: readonly Slots[], untilLong: readonly Slots[]): void {
    this.#held.set(claim, { untilEnd, untilLong, beganAt: performance.now() });
    if (untilLong.length > 0) this.#young.add(claim);
    claim.begin();
  }

  #check(): void {
    const { quickMs, room } = this.#options;
    const now = performance.now();
    for (const claim of this.#young) {
      const held = this.#held.get(claim);
      if (held === undefined || now - held.beganAt < quickMs) break;
      if (left(room(paceOf(claim.sourcePace)), longLeaves) <= 0) continue;
      this.#young.delete(claim);
      const { untilLong } = held;
      held.untilLong = [];
      for (const slots of untilLong) slots.release(claim.workspace);
    }
    for (const slots of [this.#newMemory, this.#slowMemory]) slots.advance();
    if (this.#held.size > 0 || this.#isWaitedFor()) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  #isWaitedFor(): boolean {
    const all = [this.#quick, this.#new, this.#heavy, this.#newMemory, this.#slowMemory];
    return all.some(({ isWaitedFor }) => isWaitedFor);
  }
}

/** Only a source that is known to be quick runs in the quick processes. */
export const paceOf = (sourcePace: SourcePace): Pace => (sourcePace === 'quick' ? 'quick' : 'slow');

const left = ({ all, taken }: Room, part: number): number => all * (1 - part) - taken;
