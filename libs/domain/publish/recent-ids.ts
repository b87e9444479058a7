// Remembers the last published ids of a source, by hash, each with the id of its event.
import { hash } from 'node:crypto';

/** How many of a source's ids are remembered (docs/api.md, "Publishing events"). */
export const recentIdsMax = 10_000;
/** Ids per record on the log, 3,000 bytes: the newest record is rewritten with each append that adds an id. */
export const segmentIds = 125;
export const segments = recentIdsMax / segmentIds;

/** 96 bits: callers cannot find two ids with the same hash. */
const hashBytes = 12;
const numberBytes = 6;
const entryBytes = hashBytes + 2 * numberBytes;
/** The initial room in entries: a source with few ids takes little memory. */
const initialCapacity = segmentIds;
const noPosition = -1;

const fitsNumberBytes = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < 2 ** (8 * numberBytes);

/** The data of a RecentIdsSaved record on `state`, without the source. */
export interface Segment {
  readonly segment: number;
  readonly count: number;
  readonly ids: string;
}

/** The hash of the text that identifies an event. */
export const idHash = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, hashBytes);

/**
 * A ring of entries of 24 bytes, found by hash through chains in flat arrays: 310 KB when it is full. A position is the
 * place of an entry in the ring.
 */
export class RecentIds {
  #entries = Buffer.alloc(initialCapacity * entryBytes);
  /** By the last bits of a hash: the newest position in its chain. */
  #heads = new Int32Array(0);
  /** By position: the next older one in its chain. */
  #nexts = new Int32Array(0);
  #count = 0;
  /** Segments that differ from their records on the log. */
  readonly #changed = new Set<number>();

  constructor() {
    this.#index();
  }

  /** The id of the event with this hash; undefined: it is not remembered. */
  find(id: Buffer): string | undefined {
    for (let at = this.#headOf(id); at !== noPosition; at = this.#nexts[at] ?? noPosition) {
      const from = at * entryBytes;
      if (id.compare(this.#entries, from, from + hashBytes) !== 0) continue;
      const ms = this.#entries.readUIntBE(from + hashBytes, numberBytes);
      return `${ms}-${this.#entries.readUIntBE(from + hashBytes + numberBytes, numberBytes)}`;
    }
    return undefined;
  }

  /**
   * Replaces the oldest id when there are `recentIdsMax`. An event id whose time or number does not fit into its bytes
   * is not kept.
   */
  add(id: Buffer, eventId: string): void {
    const [ms = noPosition, number = noPosition] = eventId.split('-').map(Number);
    if (!fitsNumberBytes(ms) || !fitsNumberBytes(number)) return;
    const at = this.#count % recentIdsMax;
    if (at >= this.#capacity) this.#grow(at + 1);
    if (this.#count >= recentIdsMax) this.#unlink(at);
    const from = at * entryBytes;
    id.copy(this.#entries, from, 0, hashBytes);
    this.#entries.writeUIntBE(ms, from + hashBytes, numberBytes);
    this.#entries.writeUIntBE(number, from + hashBytes + numberBytes, numberBytes);
    this.#link(at);
    this.#count++;
    this.#changed.add(Math.floor(at / segmentIds));
  }

  /** How many more segments would change, at most, if this many ids were added. */
  segmentsChangedBy(ids: number): number {
    if (ids === 0) return 0;
    const currentSegment = Math.floor((this.#count % recentIdsMax) / segmentIds);
    const touchedSegments = Math.floor(((this.#count % segmentIds) + ids - 1) / segmentIds) + 1;
    return touchedSegments - (this.#changed.has(currentSegment) ? 1 : 0);
  }

  /** Returns the segments that have changed since the last call. */
  takeChanged(): readonly Segment[] {
    const changed = Array.from(this.#changed, (segment) => this.#segment(segment));
    this.#changed.clear();
    return changed;
  }

  /** Whether `takeChanged` would return any. */
  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.#entries.byteLength + this.#heads.byteLength + this.#nexts.byteLength;
  }

  /** The number of segments that the log has, or will have. */
  get segments(): number {
    return Math.min(segments, Math.ceil(this.#count / segmentIds));
  }

  /** Restores a segment from the log, in any order; ignores invalid ones. Call `finishRestoring` after the last. */
  restore({ segment, count, ids }: Segment): void {
    if (segment >= segments) return;
    const bytes = Buffer.from(ids, 'base64').subarray(0, segmentIds * entryBytes);
    const from = segment * segmentIds;
    if (from + segmentIds > this.#capacity) this.#grow(from + segmentIds);
    bytes.copy(this.#entries, from * entryBytes);
    this.#count = Math.max(this.#count, count);
  }

  /** Completes restoring, after the last segment. */
  finishRestoring(): void {
    if (this.#usedEntries > this.#capacity) this.#grow(this.#usedEntries);
    this.#index();
  }

  get #capacity(): number {
    return this.#entries.length / entryBytes;
  }

  /** Positions that hold an entry. */
  get #usedEntries(): number {
    return Math.min(this.#count, recentIdsMax);
  }

  #segment(segment: number): Segment {
    const from = segment * segmentIds;
    const to = Math.min(from + segmentIds, this.#usedEntries);
    const ids = this.#entries.subarray(from * entryBytes, to * entryBytes).toString('base64');
    return { segment, count: this.#count, ids };
  }

  /** At least doubles the room, so that the average cost of adding stays constant. */
  #grow(needed: number): void {
    const capacity = Math.min(recentIdsMax, Math.max(needed, this.#capacity * 2));
    const entries = Buffer.alloc(capacity * entryBytes);
    this.#entries.copy(entries);
    this.#entries = entries;
    this.#index();
  }

  #index(): void {
    const bits = Math.ceil(Math.log2(this.#capacity));
    this.#heads = new Int32Array(2 ** bits).fill(noPosition);
    this.#nexts = new Int32Array(this.#capacity).fill(noPosition);
    for (let at = 0; at < Math.min(this.#usedEntries, this.#capacity); at++) this.#link(at);
  }

  #bucketOf(id: Buffer, from = 0): number {
    return (id.readUInt32BE(from) & (this.#heads.length - 1)) >>> 0;
  }

  #headOf(id: Buffer): number {
    return this.#heads[this.#bucketOf(id)] ?? noPosition;
  }

  #link(at: number): void {
    const bucket = this.#bucketOf(this.#entries, at * entryBytes);
    this.#nexts[at] = this.#heads[bucket] ?? noPosition;
    this.#heads[bucket] = at;
  }

  #unlink(at: number): void {
    const bucket = this.#bucketOf(this.#entries, at * entryBytes);
    if (this.#heads[bucket] === at) {
      this.#heads[bucket] = this.#nexts[at] ?? noPosition;
      return;
    }
    for (
      let previous = this.#heads[bucket] ?? noPosition;
      previous !== noPosition;
      previous = this.#nexts[previous] ?? noPosition
    ) {
      if (this.#nexts[previous] !== at) continue;
      this.#nexts[previous] = this.#nexts[at] ?? noPosition;
      return;
    }
  }
}
