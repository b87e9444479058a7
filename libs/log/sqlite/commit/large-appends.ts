// Packs large appends before they are committed, one pack at a time, so that commits of others continue in between.
import { positionKey } from '../../log.ts';
import { inPacks } from '../rows/in-packs.ts';
import { packBytes } from '../rows/packed.ts';
import type { StoredRow, StoredRows } from '../rows/rows.ts';
import type { AppendOrder, Order, ReadyAppend, ReadyOrder } from './order.ts';

interface Held {
  readonly order: Order;
  readonly line: string | undefined;
  /** For a large append: makes one pack at a time, and returns the append after the last one. */
  readonly packing: Generator<void, ReadyAppend> | undefined;
}

export class LargeAppends {
  /** The first is a large append; others are large or wait for one. Bounded by what the main thread sends ahead. */
  #held: Held[] = [];

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Returns the orders that can be committed at once; holds large appends and the orders after them in their lines. */
  admit(orders: readonly Order[]): readonly ReadyOrder[] {
    const waiting = new Set(this.#held.map(({ line }) => line));
    return orders.filter((order) => {
      const line = lineOf(order);
      const packing = isLarge(order) ? packed(order) : undefined;
      if (packing === undefined && (line === undefined || !waiting.has(line))) return true;
      this.#held.push({ order, line, packing });
      waiting.add(line);
      return false;
    });
  }

  /** Makes one pack, in a millisecond or two; returns the orders that need not be held any longer, in order. */
  step(): readonly ReadyOrder[] {
    const [first] = this.#held;
    if (first?.packing === undefined) return [];
    const { done, value } = first.packing.next();
    return done === true ? [value, ...this.#followersOf(first)] : [];
  }

  /** Releases the orders after `first` in its line, up to the next large append. */
  #followersOf(first: Held): readonly Order[] {
    const followers: Order[] = [];
    let isNext = true;
    this.#held = this.#held.slice(1).filter(({ order, line, packing }) => {
      if (line !== first.line) return true;
      isNext &&= packing === undefined;
      if (isNext) followers.push(order);
      return !isNext;
    });
    return followers;
  }
}

const isLarge = (order: Order): order is AppendOrder => order.kind === 'append' && order.bytes >= packBytes;

/** The line whose orders are carried out in order: of an owner, or of a partition's requests; undefined: none. */
function lineOf(order: Order): string | undefined {
  if (order.kind === 'trim') return undefined;
  const owner = order.kind === 'mark' ? order : order.marked?.claim;
  if (owner !== undefined) return `${owner.stage}/${owner.partition}`;
  const [requested] = order.kind === 'append' ? order.topics : [];
  return requested && positionKey(requested.topic, requested.rows[0]?.partition ?? 0);
}

function* packed(order: AppendOrder): Generator<void, ReadyAppend> {
  const topics: StoredRows[] = [];
  for (const given of order.topics) {
    const rows: StoredRow[] = [];
    for (const row of inPacks(given)) {
      rows.push(row);
      if (typeof row.lines !== 'string') yield;
    }
    topics.push({ topic: given.topic, rows });
  }
  return { ...order, topics };
}
