// Passes events to listening sources: each event becomes a trigger in the append that moves its cursor.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Transformed } from '../../../domain/delivery/transform/transform.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Transformer } from '../../../sandbox/transformer.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { Deletions } from '../deletions/deletions.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { transformOf } from '../filters/subscription-filters.ts';
import type { Outbox } from '../outbox.ts';
import { park } from '../replay-cursors/park.ts';
import { Transforming } from './transforming.ts';
import { given, hopsOf, notGiven } from './trigger-records.ts';

/** After the hops at full pace, the wait doubles every this many hops. */
const hopsPerDoubling = 3;
/** Events passed on in one turn of the event loop: each is parsed again. */
const givenPerStep = 16;

/** The result for a subscription without a transform. */
const asItIs: Transformed = { kind: 'sent', body: null, headers: {} };

export interface FeederOptions {
  readonly ambient: Ambient;
  readonly transformer: Pick<Transformer, 'transform'>;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  readonly limits: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs' | 'fullSourceMs'>;
  readonly isFull: (sourceId: string) => boolean;
  /** Called when the cursor's turn has come, but its next event must first be read; then the cursor queues again. */
  readonly read: (cursor: SourceCursor) => void;
  /** Called when the cursor holds fewer events. */
  readonly advanced: (cursor: SourceCursor) => void;
}

export class Feeder {
  readonly #options: FeederOptions;
  /** Cursors in the order of their turns. */
  readonly #ready = new Set<SourceCursor>();
  /** Cursors that wait, each with the timer that ends the wait. */
  readonly #resting = new Map<SourceCursor, NodeJS.Timeout>();
  /** By subscription: when its next event of many hops can be passed on, on the clock of `performance.now`. */
  readonly #slowUntil = new Map<string, number>();
  readonly #transforming: Transforming;
  #step: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: FeederOptions) {
    this.#options = options;
    const { transformer } = options;
    this.#transforming = new Transforming({ transformer, ready: (cursor) => this.lineUp(cursor) });
  }

  /** Call whenever the cursor might have an event to pass on. */
  lineUp(cursor: SourceCursor): void {
    if (this.#stopped || this.#resting.has(cursor) || this.#transforming.isBusy(cursor) || !cursor.startable) return;
    this.#ready.add(cursor);
    this.#step ??= setImmediate(() => this.#goOn());
  }

  /** Call when the outbox has room again. */
  release(): void {
    if (this.#ready.size > 0 && !this.#stopped) this.#step ??= setImmediate(() => this.#goOn());
  }

  /** Call when the subscription is closed. */
  forget(subscriptionId: string): void {
    this.#slowUntil.delete(subscriptionId);
  }

  stop(): void {
    this.#stopped = true;
    this.#transforming.stop();
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

  /** Takes the cursor's turn; returns whether an event was passed on. */
  #turn(cursor: SourceCursor): boolean {
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

  #give(cursor: SourceCursor): boolean {
    const { ambient, limits, advanced } = this.#options;
    const { subscription } = cursor;
    const made = this.#made(cursor);
    if (made === undefined) return false;
    if (made.kind === 'failed' && made.againMs !== undefined) {
      this.#rest(cursor, made.againMs);
      return false;
    }
    const at = ambient.now();
    const event = cursor.begin(at);
    if (event === undefined) return false;
    const paceMs = paceOf(hopsOf(event), limits);
    if (paceMs > 0) this.#slowUntil.set(subscription.subscriptionId, performance.now() + paceMs);
    this.#finish(cursor, event, { made, at });
    advanced(cursor);
    if (cursor.startable) this.#ready.add(cursor);
    return true;
  }

  /** The transformed next event; undefined: it is still being transformed. */
  #made(cursor: SourceCursor): Transformed | undefined {
    const { subscription, upNext } = cursor;
    const text = upNext === undefined ? undefined : transformOf(subscription, upNext);
    if (text === undefined || upNext === undefined) return asItIs;
    return this.#transforming.take({ cursor, event: upNext, text });
  }

  /** An event whose transform fails is parked at once: the same transform would fail at every attempt. */
  #finish(
    cursor: SourceCursor,
    event: BufferedEvent,
    { made, at }: { readonly made: Transformed; readonly at: Millis },
  ): void {
    const { outbox } = this.#options;
    if (made.kind === 'dropped') {
      cursor.finish(event.offset, 'filtered');
      return outbox.touch(cursor);
    }
    if (made.kind === 'failed') {
      park(cursor, event);
      cursor.seen.failed = { eventId: event.eventId, at, status: null, failure: 'transform_failed' };
      const { records, bytes } = notGiven(cursor, event, { at, error: made.error });
      return outbox.complete(cursor, records, bytes);
    }
    cursor.finish(event.offset, 'delivered');
    const { records, bytes } = given(cursor, { ...event, body: made.body ?? event.body }, at);
    outbox.complete(cursor, records, bytes);
  }

  /** How long to wait: for a full source, or to slow down sources that feed each other endlessly. No event is lost. */
  #waitMs({ subscription, upNext }: SourceCursor): number {
    const { limits, isFull } = this.#options;
    if (isFull(subscription.listenerId)) return limits.fullSourceMs;
    if (upNext === undefined || hopsOf(upNext) <= limits.hopsFree) return 0;
    return (this.#slowUntil.get(subscription.subscriptionId) ?? 0) - performance.now();
  }

  #rest(cursor: SourceCursor, waitMs: number): void {
    const wake = (): void => {
      this.#resting.delete(cursor);
      this.lineUp(cursor);
    };
    this.#resting.set(cursor, setTimeout(wake, waitMs).unref());
  }
}

/** The wait doubles every three hops: sources that emit two events for each one slow down before they emit millions. */
function paceOf(
  hops: number,
  { hopsFree, hopsMax, hopMs }: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs'>,
): number {
  return hops <= hopsFree ? 0 : hopMs * 2 ** (Math.min(0, hops - hopsMax) / hopsPerDoubling);
}
