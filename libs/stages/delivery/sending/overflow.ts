// Parks the oldest retries of a cursor when too many wait: other events continue, and memory stays bounded.
import { reread } from '../events/buffer.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { TaskOptions } from '../delivery-options.ts';
import type { Outbox } from '../outbox.ts';
import { AlertThrottle } from '../records/alert-throttle.ts';
import { parkedEarly, withoutAnswerBytes } from '../records/attempt-records.ts';
import { retriesParked } from '../records/delivery-alerts.ts';
import { park } from '../replay-cursors/park.ts';
import { suspend } from '../admission/suspension.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';

/** Retries of one cursor parked at a time: enough to keep up with failures, few enough to leave the log to others. */
const parkingMax = 8;

type OverflowOptions = TaskOptions & { readonly outbox: Outbox; readonly blocked: Pick<BlockedAlerts, 'noteEnded'> };

export class Overflow {
  readonly #options: OverflowOptions;
  /** How many retries of each cursor are being read to be parked. */
  readonly #parking = new Map<SourceCursor, number>();
  readonly #alertThrottle = new AlertThrottle();
  #closed = false;

  constructor(options: OverflowOptions) {
    this.#options = options;
  }

  /** Call whenever another retry might wait: parks one for each that is above the limit. */
  check(cursor: SourceCursor): void {
    const { retryQuota } = this.#options;
    if (this.#closed || cursor.stopped) return retryQuota.leave(cursor);
    const parking = this.#parking.get(cursor) ?? 0;
    const excess = Math.min(retryQuota.excess(cursor), parkingMax);
    for (let more = excess - parking; more > 0; more--) this.#parkOldest(cursor);
  }

  #parkOldest(cursor: SourceCursor): void {
    const { readSlots, context } = this.#options;
    const oldest = cursor.retries.claimOldest();
    if (oldest === undefined) return;
    this.#parking.set(cursor, (this.#parking.get(cursor) ?? 0) + 1);
    const rereading = readSlots.run(() => reread(context, oldest.offset), cursor.subscription.workspace);
    rereading.then(
      (event) => this.#park(cursor, oldest.offset, event),
      (error: unknown) => context.fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  close(): void {
    this.#closed = true;
  }

  #park(cursor: SourceCursor, offset: number, event: BufferedEvent | undefined): void {
    const { outbox, blocked, ambient } = this.#options;
    const attempts = cursor.attemptsAt(offset);
    const remaining = (this.#parking.get(cursor) ?? 1) - 1;
    if (remaining === 0) this.#parking.delete(cursor);
    else this.#parking.set(cursor, remaining);
    if (this.#closed || cursor.stopped || attempts === undefined) {
      cursor.retries.unclaim(offset);
      if (cursor.stopped) suspend(cursor, offset);
      return;
    }
    blocked.noteEnded({ cursor, event: { offset } });
    if (event === undefined) {
      cursor.finish(offset, 'gone');
      outbox.touch(cursor);
    } else {
      park(cursor, event);
      const parked = parkedEarly({ cursor, event, attempts, at: ambient.now() });
      const { subscriptionId } = cursor.subscription;
      const alerts = this.#alertThrottle.shouldRequest(subscriptionId) ? [retriesParked(subscriptionId, ambient)] : [];
      outbox.complete(cursor, [...alerts, parked], withoutAnswerBytes * (1 + alerts.length));
    }
    this.check(cursor);
  }
}
