// Who may send now: a lane for each webhook, and slots of the process that first attempts and retries do not share.
import { Fifo } from '../cursors/fifo.ts';
import type { DeliveryLimits } from '../limits.ts';

export type AttemptKind = 'first' | 'retry';

/** Something that waits for its turn in a lane. */
export interface Waiting {
  /** Starts one attempt, which will call `Lanes.ended`; false: there is nothing to start any more. */
  start(): boolean;
}

export interface Lane {
  readonly waiting: Readonly<Record<AttemptKind, Fifo<Waiting>>>;
  readonly inFlight: Record<AttemptKind, number>;
  /** Timeouts since the last answer. */
  silences: number;
  /** What the only slot of a silent webhook was last used for. */
  lastKind: AttemptKind;
}

type Limits = Pick<
  DeliveryLimits,
  'firstInFlightMax' | 'retryInFlightMax' | 'firstPerWebhookMax' | 'retriesPerWebhookMax' | 'silencesMax'
>;

export class Lanes {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane>();
  readonly #free: Record<AttemptKind, number>;
  /** Lanes that found no free slot, in the order in which they came. */
  readonly #starved: Readonly<Record<AttemptKind, Set<Lane>>> = { first: new Set(), retry: new Set() };

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#free = { first: limits.firstInFlightMax, retry: limits.retryInFlightMax };
  }

  of(webhookId: string): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const lane: Lane = {
      waiting: { first: new Fifo(), retry: new Fifo() },
      inFlight: { first: 0, retry: 0 },
      silences: 0,
      lastKind: 'retry',
    };
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  /** For a webhook that is deleted; a lane with something in flight stays, since its end will be counted there. */
  forget(webhookId: string): void {
    const lane = this.#lanes.get(webhookId);
    if (lane === undefined || lane.inFlight.first + lane.inFlight.retry > 0) return;
    this.#lanes.delete(webhookId);
  }

  /** Puts `item` at the end of the lane, and starts what can be started. */
  wait(lane: Lane, kind: AttemptKind, item: Waiting): void {
    lane.waiting[kind].push(item);
    this.#advance(lane);
  }

  /** An attempt has ended; `silent`: without any answer, in time; null: it never began, and says nothing. */
  ended(lane: Lane, kind: AttemptKind, silent: boolean | null): void {
    lane.inFlight[kind]--;
    this.#free[kind]++;
    if (silent === true) lane.silences++;
    else if (silent === false) lane.silences = 0;
    this.#advance(lane);
    this.#feedStarved(kind);
  }

  #advance(lane: Lane): void {
    for (let kind = this.#nextKind(lane); kind !== undefined; kind = this.#nextKind(lane)) {
      const item = lane.waiting[kind].shift();
      lane.inFlight[kind]++;
      this.#free[kind]--;
      if (item?.start() === true) {
        lane.lastKind = kind;
      } else {
        lane.inFlight[kind]--;
        this.#free[kind]++;
      }
    }
  }

  #nextKind(lane: Lane): AttemptKind | undefined {
    const silent = lane.silences >= this.#limits.silencesMax;
    if (silent && lane.inFlight.first + lane.inFlight.retry > 0) return undefined;
    // A silent webhook has one slot for both kinds: they take turns.
    const order: readonly AttemptKind[] = silent && lane.lastKind === 'first' ? ['retry', 'first'] : ['first', 'retry'];
    return order.find((kind) => this.#hasRoom(lane, kind));
  }

  #hasRoom(lane: Lane, kind: AttemptKind): boolean {
    if (lane.waiting[kind].length === 0) return false;
    const most = kind === 'first' ? this.#limits.firstPerWebhookMax : this.#limits.retriesPerWebhookMax;
    if (lane.inFlight[kind] >= most) return false;
    if (this.#free[kind] > 0) return true;
    this.#starved[kind].add(lane);
    return false;
  }

  #feedStarved(kind: AttemptKind): void {
    for (const lane of this.#starved[kind]) {
      if (this.#free[kind] === 0) return;
      this.#starved[kind].delete(lane);
      this.#advance(lane);
    }
  }
}
