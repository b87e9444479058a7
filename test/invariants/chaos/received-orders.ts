// Records what one path of a receiver has received, and what broke a promise: order, ids, bytes, signatures.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Order } from './orders.ts';

/** `some`: every twentieth request fails. `flapping`: well and failing in turn. `gone`: for one request, then well. */
export type Mood = 'well' | 'failing' | 'hanging' | 'closing' | 'gone' | 'some' | 'flapping';
export type Answer = Exclude<Mood, 'some' | 'flapping'>;

const failsEvery = 20;
const flapMs = 300;
/** Only every so many signatures are verified, because a check takes longer than a delivery. */
const verifiesEvery = 16;

export interface Promises {
  /** Orders of a channel go to so many lines in turn, each of which keeps its order; 0: unordered. */
  readonly lines: number;
  /** In each line, the orders first answered with 200 have no gaps, because no delivery is given up. */
  readonly isGapless: boolean;
}

/** The order of first attempts in one line, of a subscription itself or of one of its replays. */
class Lane {
  readonly #seen = new Set<number>();
  #newest = -1;

  /** Whether this is its first attempt, and a later order has come before. */
  isLate(n: number): boolean {
    if (this.#seen.has(n)) return false;
    this.#seen.add(n);
    const isLate = n < this.#newest;
    this.#newest = Math.max(this.#newest, n);
    return isLate;
  }
}

export class ReceivedOrders {
  mood: Mood;
  /** Undefined until the webhook is made. */
  signingKey: string | undefined;
  /** The orders answered with 200, by channel. */
  readonly orders = new Map<number, Set<number>>();
  /** The orders that each replay has sent, delivered or not. */
  readonly byReplay = new Map<string, Set<string>>();
  readonly #promises: Promises;
  readonly #faults = new Map<string, number>();
  readonly #lanes = new Map<string, Lane>();
  readonly #copies = new Map<string, number>();
  /** The orders that no replay sent, by channel. */
  readonly #withoutReplay = new Map<number, Set<number>>();
  /** How many orders have come without gaps, by channel and line. */
  readonly #inOrderCounts = new Map<string, number>();
  #requests = 0;

  constructor(mood: Mood, promises: Promises) {
    this.mood = mood;
    this.#promises = promises;
  }

  get requests(): number {
    return this.#requests;
  }

  /** The broken promises, each with its count. */
  get faults(): readonly string[] {
    return [...this.#faults].map(([what, count]) => `${count} ${what}`);
  }

  receive(order: Order, body: string, headers: IncomingHttpHeaders): Answer {
    this.#requests++;
    const replayId = headers['webhook-replay-id']?.toString();
    this.#checkCopy(order, body, headers);
    this.#checkOrder(order, replayId);
    if (this.#requests % verifiesEvery === 0) this.#verifySignature(body, headers);
    const answer = this.#answer();
    if (answer === 'gone') this.mood = 'well';
    if (answer !== 'well') return answer;
    setOf(this.orders, order.channel).add(order.n);
    if (replayId === undefined) this.#checkGaps(order);
    return answer;
  }

  #answer(): Answer {
    if (this.mood === 'some') return this.#requests % failsEvery === 0 ? 'failing' : 'well';
    if (this.mood === 'flapping') return Math.floor(performance.now() / flapMs) % 2 === 0 ? 'well' : 'failing';
    return this.mood;
  }

  /** Checks that each copy has the id and the bytes of the first one. */
  #checkCopy({ channel, n }: Order, body: string, headers: IncomingHttpHeaders): void {
    const copy = createHash('sha256').update(`${headers['webhook-id']?.toString()} ${body}`).digest().readUInt32BE();
    const key = `${channel}/${n}`;
    const first = this.#copies.get(key);
    if (first === undefined) this.#copies.set(key, copy);
    else if (first !== copy) this.#addFault('came again with another webhook-id or body');
  }

  #checkOrder({ channel, n }: Order, replayId: string | undefined): void {
    if (replayId !== undefined) setOf(this.byReplay, replayId).add(`${channel}/${n}`);
    if (this.#promises.lines === 0) return;
    const laneKey = `${replayId ?? ''}/${channel}/${n % this.#promises.lines}`;
    const lane = this.#lanes.get(laneKey) ?? new Lane();
    this.#lanes.set(laneKey, lane);
    if (lane.isLate(n)) this.#addFault(replayId === undefined ? 'came out of order' : 'came out of order in a replay');
  }

  #checkGaps({ channel, n }: Order): void {
    const delivered = setOf(this.#withoutReplay, channel);
    const { lines, isGapless } = this.#promises;
    if (!isGapless || delivered.has(n)) return;
    delivered.add(n);
    const laneKey = `${channel}/${n % lines}`;
    const inOrderCount = this.#inOrderCounts.get(laneKey) ?? 0;
    if (n !== inOrderCount * lines + (n % lines)) this.#addFault('were delivered before an earlier one');
    this.#inOrderCounts.set(laneKey, inOrderCount + 1);
  }

  /** Verifies with the first key, which still signs after others are made. */
  #verifySignature(body: string, headers: IncomingHttpHeaders): void {
    if (this.signingKey === undefined) return;
    const key = Buffer.from(this.signingKey.slice('whsec_'.length), 'base64');
    const text = `${headers['webhook-id']?.toString()}.${headers['webhook-timestamp']?.toString()}.${body}`;
    const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    const signatures = headers['webhook-signature']?.toString().split(' ') ?? [];
    if (!signatures.includes(expected)) this.#addFault('came without the signature of the first key');
  }

  #addFault(what: string): void {
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
  }
}

function setOf<Key, Value>(sets: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}
