// Gives events to listening sources: each event becomes a trigger in the append that moves its cursor.
import type { Ambient } from '../../../domain/ambient.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Deletions } from '../deletions/deletions.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import type { Outbox } from '../outbox.ts';
import { given, hopsOf } from './trigger-records.ts';

/** After the hops at full pace, the wait doubles every this many hops. */
const hopsPerDoubling = 3;
/** Events given in one turn of the event loop: each is parsed again. */
const givenPerStep = 16;

export interface FeederOptions {
  readonly ambient: Ambient;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  readonly limits: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs' | 'fullSourceMs'>;
  readonly isFull: (sourceId: string) => boolean;
  /** The cursor's turn has come, but its next event must first be read; then the cursor is lined up again. */
  readonly read: (cursor: EmitterCursor) => void;
  /** The cursor holds fewer events. */
  readonly advanced: (cursor: EmitterCursor) => void;
}

export class Feeder {
  readonly #options: FeederOptions;
  /** Cursors in the order of their turns. */
  readonly #ready = new Set<EmitterCursor>();
  /** Cursors that wait, each with the timer that ends the wait. */
  readonly #resting = new Map<EmitterCursor, NodeJS.Timeout>();
  /** By subscription: when it may give its next event of many hops, on the clock of `performance.now`. */
  readonly #slowUntil = new Map<string, number>();
  #step: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: FeederOptions) {
    this.#options = options;
  }

  /** To be called whenever the cursor may have something to give. */
  lineUp(cursor: EmitterCursor): void {
    if (this.#stopped || this.#resting.has(cursor) || !cursor.startable) return;
    this.#ready.add(cursor);
    this.#step ??= setImmediate(() => this.#goOn());
  }

  /** The outbox has room again. */
  release(): void {
    if (this.#ready.size > 0 && !this.#stopped) this.#step ??= setImmediate(() => this.#goOn());
  }

  /** The subscription is closed. */
  forget(subscriptionId: string): void {
    this.#slowUntil.delete(subscriptionId);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#step !== undefined) clearImmediate(this.#step);
    for (const timer of this.#resting.values()) clearTimeout(timer);
  }

  /** Cursors take turns, one event each. The events of one step go in one append. */
  #goOn(): void {
    this.#step = undefined;
    const { outbox } = this.#options;
    let isGiven = false;
    for (let left = givenPerStep; left > 0 && !outbox.full; left--) {
      const [cursor] = this.#ready;
      if (cursor === undefined) break;
      this.#ready.delete(cursor);
      isGiven = this.#turn(cursor) || isGiven;
    }
    if (isGiven) outbox.flush();
    if (!outbox.full) this.release();
  }

  /** Whether an event was given. */
  #turn(cursor: EmitterCursor): boolean {
    if (!cursor.startable) return false;
    if (this.#options.deletions.pass(cursor)) {
      this.#options.advanced(cursor);
      this.lineUp(cursor);
      return false;
    }
    const waitMs = this.#waitMs(cursor);
    if (waitMs > 0) this.#rest(cursor, waitMs);
    else if (cursor.queued === 0) this.#options.read(cursor);
    else return this.#give(cursor);
    return false;
  }

  #give(cursor: EmitterCursor): boolean {
    const { ambient, outbox, limits, advanced } = this.#options;
    const { subscription } = cursor;
    const at = ambient.now();
    const event = cursor.begin(at);
    if (event === undefined) return false;
    const { records, bytes } = given(cursor, event, at);
    cursor.finish(event.offset, 'delivered');
    const paceMs = paceOf(hopsOf(event), limits);
    if (paceMs > 0) this.#slowUntil.set(subscription.subscriptionId, performance.now() + paceMs);
    outbox.complete(cursor, records, bytes);
    advanced(cursor);
    if (cursor.startable) this.#ready.add(cursor);
    return true;
  }

  /** Waits for a source whose queue is full; sources that feed each other endlessly slow down, and lose nothing. */
  #waitMs({ subscription, upNext }: EmitterCursor): number {
    const { limits, isFull } = this.#options;
    if (isFull(subscription.listenerId)) return limits.fullSourceMs;
    if (upNext === undefined || hopsOf(upNext) <= limits.hopsFree) return 0;
    return (this.#slowUntil.get(subscription.subscriptionId) ?? 0) - performance.now();
  }

  #rest(cursor: EmitterCursor, waitMs: number): void {
    const wake = (): void => {
      this.#resting.delete(cursor);
      this.lineUp(cursor);
    };
    this.#resting.set(cursor, setTimeout(wake, waitMs).unref());
  }
}

/** The wait doubles every three hops: sources that emit two events for each one slow down before there are millions. */
function paceOf(
  hops: number,
  { hopsFree, hopsMax, hopMs }: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs'>,
): number {
  return hops <= hopsFree ? 0 : hopMs * 2 ** (Math.min(0, hops - hopsMax) / hopsPerDoubling);
}
