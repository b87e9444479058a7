// Keeps the emits of a partition that wait for their time: where each is on the log, and when it is due.
import type { PendingCapacity } from '../../../domain/pending/pending.ts';
import type { Millis } from '../../../domain/message.ts';
import { DueHeap } from '../../../domain/timer/due-heap.ts';
import { takeableCount } from '../../../primitives/sharing/share-of-free.ts';
import { FairSourceQueue } from '../admission/fair-source-queue.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';

/** A source and its workspace. */
type Source = Pick<WaitingEmit, 'sourceId' | 'workspace'>;

export interface WaitingEmit {
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
  readonly from?: Pick<WaitingEmit, 'at' | 'number'>;
  readonly to?: Pick<WaitingEmit, 'at' | 'number'>;
}

interface SourceQueue extends Source {
  readonly entries: Map<number, WaitingEmit>;
  readonly due: DueHeap<WaitingEmit>;
  next: number;
  /** How many entries were handed to the log and have no offset yet. */
  reserved: number;
  /** When the source is checked next; undefined: it is in `#dueSources`. */
  wakeAt: Millis | undefined;
}

/** A heap keeps stale entries, whose turn has passed or that were cancelled; above about this number it is rebuilt. */
const staleMax = 1_024;
/** The most sources added to the round at a time. */
const wakesMax = 256;

type Limits = Pick<RuntimeLimits, 'pendingMax' | 'pendingOfSourceMax'>;

export class WaitingEmits {
  readonly #limits: Limits;
  readonly #bySource = new Map<string, SourceQueue>();
  readonly #wakes = new DueHeap<SourceQueue>();
  /** The sources that have something due. */
  readonly #dueSources = new FairSourceQueue<SourceQueue>();
  readonly #countByWorkspace = new Map<string, number>();
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
    return this.#waitingCount(sourceId) > 0;
  }

  /** Whether exactly this entry waits: another might have its number by now. */
  isCurrent({ sourceId, number, offset }: Pick<WaitingEmit, 'sourceId' | 'number' | 'offset'>): boolean {
    return this.#bySource.get(sourceId)?.entries.get(number)?.offset === offset;
  }

  /** Whether all its entries have an offset. */
  isConfirmed(sourceId: string): boolean {
    return (this.#bySource.get(sourceId)?.reserved ?? 0) === 0;
  }

  /** How many more emits a source may have waiting. No workspace can take all, because an emit beyond is lost. */
  capacityFor({ sourceId, workspace }: Source): PendingCapacity {
    const { pendingMax, pendingOfSourceMax } = this.#limits;
    const waiting = this.#waitingCount(sourceId);
    const workspaceRoom = takeableCount(this.#countByWorkspace.get(workspace) ?? 0, pendingMax - this.#count);
    const room = Math.min(pendingOfSourceMax - waiting, workspaceRoom);
    return { next: this.#bySource.get(sourceId)?.next ?? 0, waiting, room: Math.max(0, room) };
  }

  /** Call when this many entries were handed to the log; call `confirm` for each of them when it has an offset. */
  reserve(source: Source, count: number): void {
    const queue = this.#queueFor(source);
    queue.reserved += count;
    queue.next += count;
    this.#addCount(source.workspace, count);
  }

  confirm(entry: WaitingEmit): void {
    const queue = this.#queueFor(entry);
    queue.reserved--;
    this.#addCount(queue.workspace, -1);
    this.add(entry);
  }

  add(entry: WaitingEmit): void {
    const queue = this.#queueFor(entry);
    if (!queue.entries.has(entry.number)) this.#addCount(queue.workspace, 1);
    queue.entries.set(entry.number, entry);
    queue.next = Math.max(queue.next, entry.number + 1);
    this.requeue(entry);
  }

  /** Makes an entry that was not read yet due again. */
  requeue(entry: WaitingEmit): void {
    const queue = this.#bySource.get(entry.sourceId);
    if (queue === undefined) return;
    queue.due.push(entry.dueAt, entry, entry.number);
    if (queue.due.length > 2 * queue.entries.size + staleMax) {
      queue.due.clear();
      for (const one of queue.entries.values()) queue.due.push(one.dueAt, one, one.number);
    }
    if (queue.wakeAt !== undefined && entry.dueAt < queue.wakeAt) this.#scheduleWake(queue, entry.dueAt);
  }

  /** When the next entry is due; undefined: nothing waits. */
  get firstDue(): Millis | undefined {
    if (!this.#dueSources.isEmpty) return -Infinity;
    for (let first = this.#wakes.first; first !== undefined; first = this.#wakes.first) {
      if (first.item.wakeAt === first.due) return first.due;
      this.#wakes.pop();
    }
    return undefined;
  }

  /** The first few due entries of the source whose turn it is; they still wait until `remove` is called. */
  takeDue(now: Millis, countMax: number): readonly WaitingEmit[] {
    this.#wakeDue(now);
    for (let queue = this.#dueSources.peek(); queue !== undefined; queue = this.#dueSources.peek()) {
      this.#dueSources.shift();
      const entries = this.#popDue(queue, now, countMax);
      const next = queue.due.first?.due;
      if (next !== undefined && next <= now) this.#dueSources.push(queue);
      else this.#scheduleWake(queue, next ?? Infinity);
      if (entries.length > 0) return entries;
    }
    return [];
  }

  remove({ sourceId, number }: Pick<WaitingEmit, 'sourceId' | 'number'>): void {
    const queue = this.#bySource.get(sourceId);
    if (queue?.entries.delete(number) !== true) return;
    this.#addCount(queue.workspace, -1);
    // As long as the source is kept here, no number is used twice.
    if (queue.wakeAt !== undefined) this.#dropIfEmpty(queue);
  }

  /** The source's waiting entries, in the order of their numbers. */
  select(sourceId: string, countMax: number, { from, to }: IdRange = {}): readonly WaitingEmit[] {
    const chosen: WaitingEmit[] = [];
    for (const entry of this.#bySource.get(sourceId)?.entries.values() ?? []) {
      if (chosen.length >= countMax) break;
      if ((from === undefined || compareIds(entry, from) >= 0) && (to === undefined || compareIds(entry, to) <= 0))
        chosen.push(entry);
    }
    return chosen;
  }

  #waitingCount(sourceId: string): number {
    const queue = this.#bySource.get(sourceId);
    return queue === undefined ? 0 : queue.entries.size + queue.reserved;
  }

  #addCount(workspace: string, count: number): void {
    this.#count += count;
    const own = (this.#countByWorkspace.get(workspace) ?? 0) + count;
    if (own === 0) this.#countByWorkspace.delete(workspace);
    else this.#countByWorkspace.set(workspace, own);
  }

  #queueFor({ sourceId, workspace }: Source): SourceQueue {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) return known;
    const due = new DueHeap<WaitingEmit>();
    const fresh: SourceQueue = { sourceId, workspace, entries: new Map(), due, next: 0, reserved: 0, wakeAt: Infinity };
    this.#bySource.set(sourceId, fresh);
    return fresh;
  }

  #wakeDue(now: Millis): void {
    for (let woken = 0; woken < wakesMax && (this.#wakes.first?.due ?? Infinity) <= now; woken++) {
      const first = this.#wakes.first;
      this.#wakes.pop();
      if (first === undefined || first.item.wakeAt !== first.due) continue;
      first.item.wakeAt = undefined;
      this.#dueSources.push(first.item);
    }
  }

  #scheduleWake(queue: SourceQueue, until: Millis): void {
    queue.wakeAt = until;
    if (!this.#dropIfEmpty(queue) && until !== Infinity) this.#wakes.push(until, queue);
    if (this.#wakes.length <= 2 * this.#bySource.size + staleMax) return;
    this.#wakes.clear();
    for (const one of this.#bySource.values())
      if (one.wakeAt !== undefined && one.wakeAt !== Infinity) this.#wakes.push(one.wakeAt, one);
  }

  /** Drops a source without entries. `wakeAt` makes what is left of it in `#wakes` stale. */
  #dropIfEmpty(queue: SourceQueue): boolean {
    if (queue.entries.size + queue.reserved > 0) return false;
    queue.wakeAt = Infinity;
    return this.#bySource.delete(queue.sourceId);
  }

  #popDue(queue: SourceQueue, now: Millis, countMax: number): readonly WaitingEmit[] {
    const entries: WaitingEmit[] = [];
    for (let first = queue.due.first; first !== undefined && first.due <= now; first = queue.due.first) {
      if (entries.length >= countMax) break;
      queue.due.pop();
      if (queue.entries.get(first.item.number) === first.item) entries.push(first.item);
    }
    return entries;
  }
}

const compareIds = (a: Pick<WaitingEmit, 'at' | 'number'>, b: Pick<WaitingEmit, 'at' | 'number'>): number =>
  a.at - b.at || a.number - b.number;
