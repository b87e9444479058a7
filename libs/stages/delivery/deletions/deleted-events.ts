// Keeps in memory, by source, the deletions that some cursor has not passed yet; the caller keeps them on the log.
import { orderRange } from '../../../domain/deletion/order-range.ts';
import { eventOrder } from '../../../domain/channel/event-id.ts';
import type { DeletedEvents as Deleted } from '../../../domain/channel/messages.ts';
import { matchesChannel } from '../../../domain/delivery/matching.ts';
import { Ranges } from './ranges.ts';

/** The most deletions kept for one partition, some 300 bytes each; a further one does not stop waiting deliveries. */
const keptMax = 100_000;

/** Passed facts are dropped once they are at least this part of all, because the rest must then be sorted again. */
const passedPartMin = 1 / 8;

export interface KeptDeletion extends Deleted {
  readonly workspace: string;
  /** The offset of the fact on `channels`. */
  readonly offset: number;
}

/** The deletes of one source. */
class DeletedOfSource {
  /** In the order of their offsets. */
  readonly facts: KeptDeletion[] = [];
  /** By channel; null: every channel but the service's own. */
  readonly ranges = new Map<string | null, Ranges>();

  /** The index of the first fact at `offset` or above. */
  indexOf(offset: number): number {
    let [low, high] = [0, this.facts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.facts[middle]?.offset ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(offset: number): boolean {
    return this.facts[this.indexOf(offset)]?.offset === offset;
  }

  /** Adds a fact; false: it is already there. */
  add(fact: KeptDeletion): boolean {
    const index = this.indexOf(fact.offset);
    if (this.facts[index]?.offset === fact.offset) return false;
    this.facts.splice(index, 0, fact);
    const ranges = this.ranges.get(fact.channel) ?? new Ranges();
    ranges.add(orderRange(fact));
    this.ranges.set(fact.channel, ranges);
    return true;
  }
}

export class DeletedEvents {
  readonly #byEmitter = new Map<string, DeletedOfSource>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The oldest fact of each source, which names the source and its workspace. */
  get sources(): readonly KeptDeletion[] {
    return [...this.#byEmitter.values()].flatMap(({ facts: [first] }) => first ?? []);
  }

  workspaceOf(emitterId: string): string | undefined {
    return this.#byEmitter.get(emitterId)?.facts[0]?.workspace;
  }

  knows({ emitterId, offset }: Pick<KeptDeletion, 'emitterId' | 'offset'>): boolean {
    return this.#byEmitter.get(emitterId)?.has(offset) === true;
  }

  add(fact: KeptDeletion): 'added' | 'known' | 'too_many' {
    if (this.#count >= keptMax) return 'too_many';
    const ofSource = this.#byEmitter.get(fact.emitterId) ?? new DeletedOfSource();
    if (!ofSource.add(fact)) return 'known';
    this.#byEmitter.set(fact.emitterId, ofSource);
    this.#count++;
    return 'added';
  }

  /** Whether an event is deleted. Ids increase, so the event's id tells whether it came before the deletion. */
  has({
    emitterId,
    eventId,
    channel,
  }: {
    readonly emitterId: string;
    readonly eventId: string;
    readonly channel: string;
  }) {
    const ofSource = this.#byEmitter.get(emitterId);
    if (ofSource === undefined) return false;
    const order = eventOrder(eventId);
    for (const [rangeChannel, ranges] of ofSource.ranges)
      if (matchesChannel(rangeChannel, channel) && ranges.has(order)) return true;
    return false;
  }

  /** Forgets and returns the facts below `offset`, which every cursor has passed; none while they are a small part. */
  removePassed(emitterId: string, offset: number): readonly KeptDeletion[] {
    const ofSource = this.#byEmitter.get(emitterId);
    if (ofSource === undefined) return [];
    const passed = ofSource.facts.filter((fact) => fact.offset < offset);
    if (passed.length < ofSource.facts.length * passedPartMin || passed.length === 0) return [];
    const remaining = new DeletedOfSource();
    for (const fact of ofSource.facts.slice(passed.length)) remaining.add(fact);
    if (remaining.facts.length === 0) this.#byEmitter.delete(emitterId);
    else this.#byEmitter.set(emitterId, remaining);
    this.#count -= passed.length;
    return passed;
  }
}
