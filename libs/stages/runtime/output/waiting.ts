// Keeps the emits of a partition that wait for their time: where each is on the log, and when it is due.
import type { PendingPlaces } from '../../../domain/pending/pending.ts';
import type { Millis } from '../../../domain/message.ts';
import { DueHeap } from '../../../domain/timer/due-heap.ts';
import { mayTake } from '../../../primitives/sharing/share-of-free.ts';
import { SourceTurns } from '../places/source-turns.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';

/** A source and its workspace. */
type Source = Pick<Entry, 'sourceId' | 'workspace'>;

export interface Entry {
  readonly sourceId: string;
  readonly workspace: string;
  readonly number: number;
  /** The time in the entry's id. */
  readonly at: Millis;
  readonly dueAt: Millis;
  /** The offset on `pending`. */
  readonly offset: number;
}

/** A range of ids, both ends included; open where absent. */
export interface IdRange {
  readonly from?: Pick<Entry, 'at' | 'number'>;
  readonly to?: Pick<Entry, 'at' | 'number'>;
}

interface OfSource extends Source {
  readonly entries: Map<number, Entry>;
  readonly due: DueHeap<Entry>;
  next: number;
  /** How many entries were handed to the log and have no offset yet. */
  reserved: number;
  /** When the source is checked next; undefined: it is in `#round`, with something due. */
  wakeAt: Millis | undefined;
}

/** A heap keeps stale entries, whose turn has passed or that were cancelled; above about this number it is rebuilt. */
const staleMax = 1_024;
/** The most sources added to the round at a time. */
const wakesMax = 256;

type Limits = Pick<RuntimeLimits, 'pendingMax' | 'pendingOfSourceMax'>;

export class Waiting {
  readonly #limits: Limits;
  readonly #bySource = new Map<string, OfSource>();
  readonly #wakes = new DueHeap<OfSource>();
  /** The sources that have something due. */
  readonly #round = new SourceTurns<OfSource>();
  readonly #ofWorkspace = new Map<string, number>();
  #count = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The ids of the sources that have entries. */
  get sources(): Iterable<string> {
    return this.#bySource.keys();
  }

  /** The length of all heaps, with their stale entries. */
  get heapLength(): number {
    return [...this.#bySource.values()].reduce((sum, { due }) => sum + due.length, this.#wakes.length);
  }

  /** Whether the source has entries that wait, or that were handed to the log. */
  has(sourceId: string): boolean {
    return this.#waitingOf(sourceId) > 0;
  }

  /** Whether exactly this entry waits: another might have its number by now. */
  stands({ sourceId, number, offset }: Pick<Entry, 'sourceId' | 'number' | 'offset'>): boolean {
    return this.#bySource.get(sourceId)?.entries.get(number)?.offset === offset;
  }

  /** Whether all its entries have an offset. */
  isPlaced(sourceId: string): boolean {
    return (this.#bySource.get(sourceId)?.reserved ?? 0) === 0;
  }

  /** The places left for a source. No workspace can take every place, because an emit without one is lost. */
  places({ sourceId, workspace }: Source): PendingPlaces {
    const { pendingMax, pendingOfSourceMax } = this.#limits;
    const waiting = this.#waitingOf(sourceId);
    const share = mayTake(this.#ofWorkspace.get(workspace) ?? 0, pendingMax - this.#count);
    const room = Math.min(pendingOfSourceMax - waiting, share);
    return { next: this.#bySource.get(sourceId)?.next ?? 0, waiting, room: Math.max(0, room) };
  }

  /** Call when this many entries were handed to the log; call `place` for each of them when it has an offset. */
  reserve(source: Source, count: number): void {
    const of = this.#of(source);
    of.reserved += count;
    of.next += count;
    this.#add(source.workspace, count);
  }

  place(entry: Entry): void {
    const of = this.#of(entry);
    of.reserved--;
    this.#add(of.workspace, -1);
    this.add(entry);
  }

  add(entry: Entry): void {
    const of = this.#of(entry);
    if (!of.entries.has(entry.number)) this.#add(of.workspace, 1);
    of.entries.set(entry.number, entry);
    of.next = Math.max(of.next, entry.number + 1);
    this.putBack(entry);
  }

  /** Makes an entry that was not read yet due again. */
  putBack(entry: Entry): void {
    const of = this.#bySource.get(entry.sourceId);
    if (of === undefined) return;
    of.due.push(entry.dueAt, entry, entry.number);
    if (of.due.length > 2 * of.entries.size + staleMax) {
      of.due.clear();
      for (const one of of.entries.values()) of.due.push(one.dueAt, one, one.number);
    }
    if (of.wakeAt !== undefined && entry.dueAt < of.wakeAt) this.#sleep(of, entry.dueAt);
  }

  /** When the next entry is due; undefined: nothing waits. */
  get firstDue(): Millis | undefined {
    if (!this.#round.isEmpty) return -Infinity;
    for (let first = this.#wakes.first; first !== undefined; first = this.#wakes.first) {
      if (first.item.wakeAt === first.due) return first.due;
      this.#wakes.pop();
    }
    return undefined;
  }

  /** The first few due entries of the source whose turn it is; they still wait until `remove` is called. */
  due(now: Millis, countMax: number): readonly Entry[] {
    this.#wake(now);
    for (let of = this.#round.peek(); of !== undefined; of = this.#round.peek()) {
      this.#round.shift();
      const entries = this.#dueOf(of, now, countMax);
      const next = of.due.first?.due;
      if (next !== undefined && next <= now) this.#round.push(of);
      else this.#sleep(of, next ?? Infinity);
      if (entries.length > 0) return entries;
    }
    return [];
  }

  remove({ sourceId, number }: Pick<Entry, 'sourceId' | 'number'>): void {
    const of = this.#bySource.get(sourceId);
    if (of?.entries.delete(number) !== true) return;
    this.#add(of.workspace, -1);
    // As long as the source is kept here, no number is used twice.
    if (of.wakeAt !== undefined) this.#dropIfEmpty(of);
  }

  /** The source's waiting entries, in the order of their numbers. */
  select(sourceId: string, countMax: number, { from, to }: IdRange = {}): readonly Entry[] {
    const chosen: Entry[] = [];
    for (const entry of this.#bySource.get(sourceId)?.entries.values() ?? []) {
      if (chosen.length >= countMax) break;
      if ((from === undefined || order(entry, from) >= 0) && (to === undefined || order(entry, to) <= 0))
        chosen.push(entry);
    }
    return chosen;
  }

  #waitingOf(sourceId: string): number {
    const of = this.#bySource.get(sourceId);
    return of === undefined ? 0 : of.entries.size + of.reserved;
  }

  #add(workspace: string, count: number): void {
    this.#count += count;
    const own = (this.#ofWorkspace.get(workspace) ?? 0) + count;
    if (own === 0) this.#ofWorkspace.delete(workspace);
    else this.#ofWorkspace.set(workspace, own);
  }

  #of({ sourceId, workspace }: Source): OfSource {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) return known;
    const due = new DueHeap<Entry>();
    const fresh: OfSource = { sourceId, workspace, entries: new Map(), due, next: 0, reserved: 0, wakeAt: Infinity };
    this.#bySource.set(sourceId, fresh);
    return fresh;
  }

  #wake(now: Millis): void {
    for (let woken = 0; woken < wakesMax && (this.#wakes.first?.due ?? Infinity) <= now; woken++) {
      const first = this.#wakes.first;
      this.#wakes.pop();
      if (first === undefined || first.item.wakeAt !== first.due) continue;
      first.item.wakeAt = undefined;
      this.#round.push(first.item);
    }
  }

  #sleep(of: OfSource, until: Millis): void {
    of.wakeAt = until;
    if (!this.#dropIfEmpty(of) && until !== Infinity) this.#wakes.push(until, of);
    if (this.#wakes.length <= 2 * this.#bySource.size + staleMax) return;
    this.#wakes.clear();
    for (const one of this.#bySource.values())
      if (one.wakeAt !== undefined && one.wakeAt !== Infinity) this.#wakes.push(one.wakeAt, one);
  }

  /** Drops a source without entries. `wakeAt` makes what is left of it in `#wakes` stale. */
  #dropIfEmpty(of: OfSource): boolean {
    if (of.entries.size + of.reserved > 0) return false;
    of.wakeAt = Infinity;
    return this.#bySource.delete(of.sourceId);
  }

  #dueOf(of: OfSource, now: Millis, countMax: number): readonly Entry[] {
    const entries: Entry[] = [];
    for (let first = of.due.first; first !== undefined && first.due <= now; first = of.due.first) {
      if (entries.length >= countMax) break;
      of.due.pop();
      if (of.entries.get(first.item.number) === first.item) entries.push(first.item);
    }
    return entries;
  }
}

const order = (a: Pick<Entry, 'at' | 'number'>, b: Pick<Entry, 'at' | 'number'>): number =>
  a.at - b.at || a.number - b.number;
