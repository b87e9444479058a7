// Passes events to listening sources: each event becomes a trigger in the append that moves its cursor.
import type { Ambient } from '../../../domain/ambient.ts';
import type { TransformOutcome } from '../../../domain/delivery/transform/transform.ts';
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
import { passedOnRecords, hopsOf, failedTransformRecords } from './trigger-records.ts';

/** After the hops at full pace, the wait doubles every this many hops. */
const hopsPerDoubling = 3;
/** Events passed on in one turn of the event loop: each is parsed again. */
const eventsPerStep = 16;

/** The result for a subscription without a transform. */
const untransformed: TransformOutcome = { kind: 'sent', body: null, headers: {} };

export interface SourceFeederOptions {
  readonly ambient: Ambient;
  readonly transformer: Pick<Transformer, 'transform'>;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  readonly limits: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs' | 'fullSourceMs'>;
  readonly isFull: (sourceId: string) => boolean;
  /** Called when the cursor's turn has come, but its next event must first be read; then the cursor queues again. */
  readonly read: (cursor: SourceCursor) => void;
  /** Called when the cursor holds fewer events. */
  readonly onAdvanced: (cursor: SourceCursor) => void;
}

export class SourceFeeder {
  readonly #options: SourceFeederOptions;
  /** Cursors in the order of their turns. */
  readonly #ready = new Set<SourceCursor>();
  /** Cursors that wait, each with the timer that ends the wait. */
  readonly #delayed = new Map<SourceCursor, NodeJS.Timeout>();
  /** By subscription: when its next event of many hops can be passed on, on the clock of `performance.now`. */
  readonly #slowUntil = new Map<string, number>();
  readonly #transforming: Transforming;
  #step: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: SourceFeederOptions) {
    this.#options = options;
    const { transformer } = options;
    this.#transforming = new Transforming({ transformer, ready: (cursor) => this.enqueue(cursor) });
  }

  /** Call whenever the cursor might have an event to pass on. */
  enqueue(cursor: SourceCursor): void {
    if (this.#stopped || this.#delayed.has(cursor) || this.#transforming.isBusy(cursor) || !cursor.canStart) return;
    this.#ready.add(cursor);
    this.#step ??= setImmediate(() => this.#runStep());
  }

  /** Call when the outbox has room again. */
  release(): void {
    if (this.#ready.size > 0 && !this.#stopped) this.#step ??= setImmediate(() => this.#runStep());
  }

  /** Call when the subscription is closed. */
  forget(subscriptionId: string): void {
    this.#slowUntil.delete(subscriptionId);
  }

  stop(): void {
    this.#stopped = true;
    this.#transforming.stop();
    if (this.#step !== undefined) clearImmediate(this.#step);
    for (const timer of this.#delayed.values()) clearTimeout(timer);
  }

  /** Cursors take turns, one event each. The events of one step go in one append. */
  #runStep(): void {
    this.#step = undefined;
    const { outbox } = this.#options;
    let hasPassedOn = false;
    for (let remaining = eventsPerStep; remaining > 0 && !outbox.isFull; remaining--) {
      const [cursor] = this.#ready;
      if (cursor === undefined) break;
      this.#ready.delete(cursor);
      hasPassedOn = this.#takeTurn(cursor) || hasPassedOn;
    }
    if (hasPassedOn) outbox.flush();
    if (!outbox.isFull) this.release();
  }

  /** Takes the cursor's turn; returns whether an event was passed on. */
  #takeTurn(cursor: SourceCursor): boolean {
    if (!cursor.canStart) return false;
    if (this.#options.deletions.dropNextDeleted(cursor)) {
      this.#options.onAdvanced(cursor);
      this.enqueue(cursor);
      return false;
    }
    const waitMs = this.#waitMs(cursor);
    if (waitMs > 0) this.#delay(cursor, waitMs);
    else if (cursor.queued === 0) this.#options.read(cursor);
    else return this.#passOn(cursor);
    return false;
  }

  #passOn(cursor: SourceCursor): boolean {
    const { ambient, limits, onAdvanced } = this.#options;
    const { subscription } = cursor;
    const transformed = this.#transformNext(cursor);
    if (transformed === undefined) return false;
    if (transformed.kind === 'failed' && transformed.againMs !== undefined) {
      this.#delay(cursor, transformed.againMs);
      return false;
    }
    const at = ambient.now();
    const event = cursor.begin(at);
    if (event === undefined) return false;
    const paceMs = paceOf(hopsOf(event), limits);
    if (paceMs > 0) this.#slowUntil.set(subscription.subscriptionId, performance.now() + paceMs);
    this.#finish(cursor, event, { transformed, at });
    onAdvanced(cursor);
    if (cursor.canStart) this.#ready.add(cursor);
    return true;
  }

  /** The transformed next event; undefined: it is still being transformed. */
  #transformNext(cursor: SourceCursor): TransformOutcome | undefined {
    const { subscription, nextEvent } = cursor;
    const text = nextEvent === undefined ? undefined : transformOf(subscription, nextEvent);
    if (text === undefined || nextEvent === undefined) return untransformed;
    return this.#transforming.takeResult({ cursor, event: nextEvent, text });
  }

  /** An event whose transform fails is parked at once: the same transform would fail at every attempt. */
  #finish(
    cursor: SourceCursor,
    event: BufferedEvent,
    { transformed, at }: { readonly transformed: TransformOutcome; readonly at: Millis },
  ): void {
    const { outbox } = this.#options;
    if (transformed.kind === 'dropped') {
      cursor.finish(event.offset, 'filtered');
      return outbox.touch(cursor);
    }
    if (transformed.kind === 'failed') {
      park(cursor, event);
      cursor.reportState.failed = { eventId: event.eventId, at, status: null, failure: 'transform_failed' };
      const { records, bytes } = failedTransformRecords(cursor, event, { at, error: transformed.error });
      return outbox.complete(cursor, records, bytes);
    }
    cursor.finish(event.offset, 'delivered');
    const { records, bytes } = passedOnRecords(cursor, { ...event, body: transformed.body ?? event.body }, at);
    outbox.complete(cursor, records, bytes);
  }

  /** How long to wait: for a full source, or to slow down sources that feed each other endlessly. No event is lost. */
  #waitMs({ subscription, nextEvent }: SourceCursor): number {
    const { limits, isFull } = this.#options;
    if (isFull(subscription.listenerId)) return limits.fullSourceMs;
    if (nextEvent === undefined || hopsOf(nextEvent) <= limits.hopsFree) return 0;
    return (this.#slowUntil.get(subscription.subscriptionId) ?? 0) - performance.now();
  }

  #delay(cursor: SourceCursor, waitMs: number): void {
    const endWait = (): void => {
      this.#delayed.delete(cursor);
      this.enqueue(cursor);
    };
    this.#delayed.set(cursor, setTimeout(endWait, waitMs).unref());
  }
}

/** The wait doubles every three hops: sources that emit two events for each one slow down before they emit millions. */
function paceOf(
  hops: number,
  { hopsFree, hopsMax, hopMs }: Pick<DeliveryLimits, 'hopsFree' | 'hopsMax' | 'hopMs'>,
): number {
  return hops <= hopsFree ? 0 : hopMs * 2 ** (Math.min(0, hops - hopsMax) / hopsPerDoubling);
}
