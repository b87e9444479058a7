// A segment of the index: the offsets of each source's records in a range of `channels`, saved in parts.
import type { ChannelEvent } from '../../channel/messages.ts';
import { partitionOf } from '../../flow.ts';
import { deltasOf, fromDeltas } from './deltas.ts';
import type { IndexEvent, OffsetsBySource } from './messages.ts';

export type IndexPart = IndexEvent['data'];

/** Offsets of one source's records, in order. */
export interface SourceOffsets {
  readonly events: readonly number[];
  readonly deletions: readonly number[];
}

/** The approximate size of a part: a look-up reads one part, and even 16 KiB cost hardly more than one record. */
const partBytes = 4 * 1024;
/** The approximate sizes of a number with its comma, and of a source's id with its punctuation. */
const offsetBytes = 5;
const sourceBytes = 36;
/** Bounds the list of parts in the segment's record. */
const partsMax = 128;
/** Knuth's multiplier: it spreads ids whose hashes are equal modulo the number of partitions. */
const hashMultiplier = 0x9e3779b1;

export class Segment {
  readonly from: number;
  #to: number;
  #records = 0;
  readonly #events = new Map<string, number[]>();
  readonly #deletions = new Map<string, number[]>();

  constructor(from: number) {
    this.from = from;
    this.#to = from;
  }

  /** The end of the range, exclusive: the segment has everything from `from` up to it. */
  get to(): number {
    return this.#to;
  }

  get records(): number {
    return this.#records;
  }

  /** Adds the next record; ignores one below `to`, which this or an earlier segment has already. */
  add(type: Exclude<ChannelEvent['type'], 'FilterChanged'>, emitterId: string, offset: number): void {
    if (offset < this.#to) return;
    const byEmitter = type === 'EventsDeleted' ? this.#deletions : this.#events;
    const offsets = byEmitter.get(emitterId);
    if (offsets === undefined) byEmitter.set(emitterId, [offset]);
    else offsets.push(offset);
    this.#records++;
    this.#to = offset + 1;
  }

  /** Extends the range up to the offset: everything below it was added. */
  extendTo(offset: number): void {
    this.#to = Math.max(this.#to, offset);
  }

  offsetsOf(emitterId: string): SourceOffsets {
    return { events: this.#events.get(emitterId) ?? [], deletions: this.#deletions.get(emitterId) ?? [] };
  }

  parts(): readonly IndexPart[] {
    const bytes = this.#records * offsetBytes + (this.#events.size + this.#deletions.size) * sourceBytes;
    const count = Math.min(partsMax, Math.max(1, Math.ceil(bytes / partBytes)));
    const parts = Array.from({ length: count }, () => ({
      from: this.from,
      to: this.#to,
      events: {} as Record<string, readonly number[]>,
      deletions: {} as Record<string, readonly number[]>,
    }));
    for (const kind of ['events', 'deletions'] as const)
      for (const [emitterId, offsets] of kind === 'events' ? this.#events : this.#deletions) {
        const part = parts[partOf(emitterId, count)];
        if (part !== undefined) part[kind][emitterId] = deltasOf(offsets);
      }
    return parts;
  }
}

/** Which of `count` parts a source is in. */
export const partOf = (emitterId: string, count: number): number =>
  (Math.imul(partitionOf(emitterId, 2 ** 32), hashMultiplier) >>> 16) % count;

export function offsetsIn({ events, deletions }: IndexPart, emitterId: string): SourceOffsets {
  const decode = (byEmitter: OffsetsBySource): readonly number[] =>
    Object.hasOwn(byEmitter, emitterId) ? fromDeltas(byEmitter[emitterId] ?? []) : [];
  return { events: decode(events), deletions: decode(deletions) };
}
