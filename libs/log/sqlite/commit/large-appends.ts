// Packs large appends before they are committed, one pack at a time, so that commits of others continue in between.
import { positionKey } from '../../log.ts';
import { packAdjacentRows } from '../rows/pack-adjacent-rows.ts';
import { packBytes } from '../rows/row-packs.ts';
import type { StoredRow, StoredTopicRows } from '../rows/rows.ts';
import type { AppendOrder, Order, ReadyAppend, ReadyOrder } from './order.ts';

interface HeldOrder {
  readonly order: Order;
  readonly lane: string | undefined;
  /** For a large append: makes one pack at a time, and returns the append after the last one. */
  readonly packing: Generator<void, ReadyAppend> | undefined;
}

export class LargeAppends {
  /** The first is a large append; others are large or wait for one. Bounded by what the main thread sends ahead. */
  #held: HeldOrder[] = [];

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Returns the orders that can be committed at once; holds large appends and the orders after them in their lanes. */
  admit(orders: readonly Order[]): readonly ReadyOrder[] {
    const blockedLanes = new Set(this.#held.map(({ lane }) => lane));
    return orders.filter((order) => {
      const lane = laneOf(order);
      const packing = isLarge(order) ? packInSteps(order) : undefined;
      if (packing === undefined && (lane === undefined || !blockedLanes.has(lane))) return true;
      this.#held.push({ order, lane, packing });
      blockedLanes.add(lane);
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

  /** Releases the orders after `first` in its lane, up to the next large append. */
  #followersOf(first: HeldOrder): readonly Order[] {
    const followers: Order[] = [];
    let isNext = true;
    this.#held = this.#held.slice(1).filter(({ order, lane, packing }) => {
      if (lane !== first.lane) return true;
      isNext &&= packing === undefined;
      if (isNext) followers.push(order);
      return !isNext;
    });
    return followers;
  }
}

const isLarge = (order: Order): order is AppendOrder => order.kind === 'append' && order.bytes >= packBytes;

/** The lane whose orders are carried out in order: of an owner, or of a partition's requests; undefined: none. */
function laneOf(order: Order): string | undefined {
  if (order.kind === 'trim') return undefined;
  const owner = order.kind === 'mark' ? order : order.marked?.claim;
  if (owner !== undefined) return `${owner.stage}/${owner.partition}`;
  const [firstRows] = order.kind === 'append' ? order.topics : [];
  return firstRows && positionKey(firstRows.topic, firstRows.rows[0]?.partition ?? 0);
}

function* packInSteps(order: AppendOrder): Generator<void, ReadyAppend> {
  const topics: StoredTopicRows[] = [];
  for (const topicRows of order.topics) {
    const rows: StoredRow[] = [];
    for (const row of packAdjacentRows(topicRows)) {
      rows.push(row);
      if (typeof row.lines !== 'string') yield;
    }
    topics.push({ topic: topicRows.topic, rows });
  }
  return { ...order, topics };
}
