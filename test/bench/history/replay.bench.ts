// A replay of many events without a rate limit: its rate against that of live events, and its effect on a neighbour.
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Figure } from '../report/figure.ts';
import { History, sourceOf, type SentEvents } from './history.ts';

const eventsCount = 100_000;
const perSecond = 200;
const aloneSeconds = 10;
const tickMs = 5;
const [replayed, live] = [sourceOf(0), sourceOf(1)];

export const replay: Bench = { name: 'replay', runs: 1, run };

async function run(): Promise<readonly Figure[]> {
  const history = await History.begin();
  try {
    const first = await history.subscribe('many', replayed);
    const neighbour = await history.subscribe('live', live);
    await history.emit(eventsCount, () => replayed);
    await history.waitUntilSent(first, eventsCount);
    const liveRate = rateOf(first);
    const traffic = new Traffic(history, neighbour);
    const alone = await traffic.during(() => delay(aloneSeconds * 1_000));
    let rate = 0;
    const beside = await traffic.during(async () => {
      const again = await history.replay('many', replayed);
      await history.waitUntilSent(again, eventsCount);
      rate = rateOf(again);
    });
    return [
      {
        name: 'replay',
        value: rate,
        unit: 'events/s',
        bound: liveRate,
        ratio: rate / liveRate,
        goal: '>= 0.8 of bound',
      },
      {
        name: 'replay.neighbour',
        value: beside,
        unit: 'ms (p99)',
        bound: alone,
        ratio: beside / alone,
        goal: '<= 1.5 of bound',
      },
    ];
  } finally {
    await history.end();
  }
}

/** Deliveries per second from the first to the last answer. */
const rateOf = ({ answered, firstAt }: SentEvents): number =>
  (answered.length * 1_000) / ((answered.at(-1)?.[1] ?? NaN) - (firstAt ?? NaN));

/** Emits events at a steady rate, one in each append. */
class Traffic {
  readonly #history: History;
  readonly #to: SentEvents;
  readonly #emittedAt = new Map<number, number>();

  constructor(history: History, to: SentEvents) {
    this.#history = history;
    this.#to = to;
  }

  /** The p99 of the time from an event's append to its answer, of events emitted during `work`. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const from = this.#to.answered.length;
    const emitting = { on: true };
    const done = this.#emit(emitting);
    await work();
    emitting.on = false;
    await this.#history.waitUntilSent(this.#to, from + (await done));
    const took = this.#to.answered.slice(from).map(([n, at]) => at - (this.#emittedAt.get(n) ?? NaN));
    return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? NaN;
  }

  async #emit(emitting: { readonly on: boolean }): Promise<number> {
    const startedAt = performance.now();
    let sent = 0;
    while (emitting.on) {
      const due = Math.ceil(((performance.now() - startedAt) * perSecond) / 1_000);
      for (; sent < due; sent++) {
        this.#emittedAt.set(this.#history.next, performance.now());
        await this.#history.emit(1, () => live);
      }
      await delay(tickMs);
    }
    return sent;
  }
}
