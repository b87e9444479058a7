// Starts attempts in turn, and handles their outcomes.
import type { Ambient } from '../../../domain/ambient.ts';
import { dueAfterRestart } from '../../../domain/delivery/cursor.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Millis } from '../../../domain/message.ts';
import { inTime } from '../../../primitives/time-limit.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { FailingWebhooks, Owner } from '../failing/failing-webhooks.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { dropDeleted } from '../deletions/drop-deleted.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { Attempts } from '../measuring/attempts.ts';
import type { Outbox } from '../outbox.ts';
import type { Attempt } from '../records/attempt-records.ts';
import type { Blocked } from '../settling/blocked.ts';
import { Settling, type SettlingOptions } from '../settling/settling.ts';
import type { Feeder } from '../sources/feeder.ts';
import type { AttemptOutcome } from '../outcomes/outcome.ts';
import type { Sender } from '../transforms/sender.ts';
import { DueQueue } from './due-queue.ts';
import { WaitClock } from './wait-clock.ts';
import { Admission } from '../admission/admission.ts';
import { suspend, takeSuspended } from '../admission/suspension.ts';
import type { Place, Reread, Retry, Sending } from './attempt-steps.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { endOf } from '../lanes/reputation.ts';
import { isCurrent, sign } from '../targets/request.ts';

/** The time between retries that became due during a pause, so that the receiver does not get all at once ... */
const restartGapMs = 10;
/** ... but at most this much for all of them: if there are more, several start at the same time. */
const restartSpreadMs = 10 * 60_000;

export interface DispatcherOptions {
  readonly sender: Sender;
  readonly lanes: Lanes;
  /** Counts how attempts end. */
  readonly attempts: Attempts;
  readonly ambient: Ambient;
  readonly keyring: Keyring;
  /** Handles cursors whose listener is a source: nothing is sent by HTTP. */
  readonly sources: Feeder;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  /** Reads an event of `channels` again; undefined if it is gone. */
  readonly reread: (cursor: SourceCursor, offset: number) => Promise<BufferedEvent | undefined>;
  /** Called when the cursor's turn has come, but its next event must first be read; then the cursor queues again. */
  readonly read: (cursor: SourceCursor) => void;
  /** Called when the cursor holds fewer events, or can continue. */
  readonly advanced: (cursor: SourceCursor) => void;
  /** Stops sending to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  readonly blocked: Blocked;
  readonly failing: FailingWebhooks;
  readonly ownerOf: (cursor: SourceCursor) => Owner;
  /** Reports that the webhook's signing key cannot be unsealed. */
  readonly closed: (webhook: WebhookTarget) => void;
  readonly logError: (message: string, details: object) => void;
  readonly fail: (error: Error) => void;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #due: DueQueue<Retry>;
  readonly #clock: WaitClock;
  readonly #admission: Admission;
  readonly #settling: Settling;
  #inFlight = 0;
  #stopping = false;
  #dropped = false;
  #drained: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#admission = new Admission(options);
    const retryAt: SettlingOptions['retryAt'] = (...retry) => this.retryAt(...retry);
    this.#settling = new Settling({ ...options, retryAt });
    const clock = (this.#clock = new WaitClock(() => options.ambient.now()));
    this.#due = new DueQueue(
      () => clock.now(),
      (retry) => retry.cursor.openAt(retry.offset)?.dueAt === retry.asOf && this.#queueRetry(retry),
    );
  }

  /** Call whenever a first attempt of the cursor might have become possible. */
  lineUp(cursor: SourceCursor): void {
    const { lanes, sources } = this.#options;
    if (cursor.subscription.webhook.isSource) return sources.lineUp(cursor);
    if (cursor.linedUp || this.#stopping || !cursor.startable) return;
    cursor.linedUp = true;
    lanes.wait(lanes.of(cursor.subscription.webhook), cursor.kind, this.#turnOf(cursor));
  }

  /** Tries an open event of the cursor again at `dueAt`; setting the clock back has no effect on that. */
  retryAt(cursor: SourceCursor, offset: number, dueAt: Millis): void {
    const waitMs = dueAt - this.#options.ambient.now();
    const asOf = cursor.openAt(offset)?.dueAt;
    if (!this.#stopping && asOf !== undefined)
      this.#due.add({ cursor, offset, asOf, dueAt: this.#clock.now() + waitMs });
  }

  /** Continues with open deliveries and with the next event, after a restart. */
  resume(cursor: SourceCursor): void {
    const now = this.#options.ambient.now();
    for (const delivery of cursor.unfinished()) this.retryAt(cursor, delivery.offset, dueAfterRestart(delivery, now));
    this.lineUp(cursor);
  }

  /** Tries what became due during a pause, one retry after the other, and continues with the next event. */
  restart(cursors: Iterable<SourceCursor>): void {
    const now = this.#options.ambient.now();
    let tried = 0;
    for (const cursor of cursors) {
      for (const delivery of takeSuspended(cursor)) {
        const startAt = now + ((tried++ * restartGapMs) % restartSpreadMs);
        this.retryAt(cursor, delivery.offset, Math.max(dueAfterRestart(delivery, now), startAt));
      }
      this.lineUp(cursor);
    }
  }

  /** Puts the records of all ended attempts into the outbox; call before anything is taken from it. */
  writeRecords(): void {
    this.#settling.writeRecords();
  }

  /** Retries attempts that waited for a data key or for room in the outbox. */
  release(): void {
    this.#admission.release();
  }

  /** Starts nothing new, and waits up to `drainMs` for attempts in flight; later outcomes are dropped. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    this.#due.close();
    if (this.#inFlight > 0 && drainMs > 0) {
      const drained = new Promise<void>((resolve) => (this.#drained = resolve));
      await inTime(drained, drainMs);
    }
    this.#dropped = true;
  }

  #turnOf(cursor: SourceCursor) {
    cursor.turn ??= { start: (lane) => this.#startFirst(cursor, lane) };
    return cursor.turn;
  }

  #startFirst(cursor: SourceCursor, lane: Lane): boolean {
    const { ambient, lanes, outbox, advanced } = this.#options;
    const { webhook } = cursor.subscription;
    cursor.linedUp = false;
    if (this.#stopping) return false;
    if (cursor.settleNext()) {
      outbox.touch(cursor);
      advanced(cursor);
    }
    if (!cursor.startable) return false;
    if (lane !== lanes.of(webhook)) {
      this.lineUp(cursor);
      return false;
    }
    if (this.#options.deletions.pass(cursor)) {
      advanced(cursor);
      this.lineUp(cursor);
      return false;
    }
    if (cursor.upNext === undefined) {
      this.#options.read(cursor);
      return false;
    }
    const keys = this.#admission.keysOf(webhook, () => this.lineUp(cursor));
    const event = keys && cursor.begin(ambient.now());
    if (keys === undefined || event === undefined) return false;
    this.#send({ cursor, event, lane, kind: cursor.kind, number: 1 }, keys);
    if (cursor.startable) {
      cursor.linedUp = true;
      lane.waiting[cursor.kind].push(this.#turnOf(cursor));
    }
    advanced(cursor);
    return true;
  }

  #queueRetry({ cursor, offset }: Pick<Retry, 'cursor' | 'offset'>): void {
    const attempts = cursor.attemptsAt(offset);
    if (attempts === undefined) return;
    if (cursor.stopped) return suspend(cursor, offset);
    const { lanes } = this.#options;
    // A first attempt that was in flight when its process died is a first attempt again.
    const kind = attempts === 0 || cursor.kind === 'replay' ? cursor.kind : 'retry';
    const start = (lane: Lane): boolean => this.#startRetry({ cursor, offset, kind, lane });
    lanes.wait(lanes.of(cursor.subscription.webhook), kind, { start });
  }

  #startRetry({ cursor, offset, ...place }: Omit<Reread, 'event'>): boolean {
    const { webhook } = cursor.subscription;
    if (this.#stopping || cursor.attemptsAt(offset) === undefined) return false;
    const again = (): void => this.#queueRetry({ cursor, offset });
    if (cursor.stopped || place.lane !== this.#options.lanes.of(webhook)) {
      again();
      return false;
    }
    const keys = this.#admission.keysOf(webhook, again);
    if (keys === undefined || !cursor.aside.claim(offset)) return false;
    this.#options.reread(cursor, offset).then(
      (event) => this.#resend({ cursor, offset, ...place, event }, keys),
      (error: unknown) => this.#unread(place, error),
    );
    return true;
  }

  /** Releases the place: the error ends the task, but lanes outlive the task. */
  #unread({ lane, kind }: Place, error: unknown): void {
    const { lanes, fail } = this.#options;
    fail(error instanceof Error ? error : new Error(String(error)));
    lanes.ended(lane, kind, 'void');
  }

  #resend({ cursor, offset, lane, kind, event }: Reread, keys: readonly SigningKey[]): void {
    const { lanes, outbox, deletions, logError, advanced } = this.#options;
    const attempts = cursor.attemptsAt(offset);
    const isOutdated = cursor.stopped || cursor.subscription.webhook.keys !== keys;
    const ended = this.#stopping || isOutdated || attempts === undefined;
    const isDeleted = event !== undefined && deletions.isDeleted(event);
    if (event !== undefined && !ended && !isDeleted)
      return this.#send({ cursor, event, lane, kind, number: attempts + 1 }, keys);
    cursor.aside.unclaim(offset);
    lanes.ended(lane, kind, 'void');
    // The webhook has changed while the event was read.
    if (isOutdated && !this.#stopping) this.#queueRetry({ cursor, offset });
    if (ended) return;
    if (event !== undefined) dropDeleted(cursor, event, this.#options);
    else {
      logError('An event that is still to be delivered is not on the log any more.', { cursor: cursor.key, offset });
      this.#options.blocked.ends({ cursor, event: { offset } });
      cursor.finish(offset, 'gone');
      outbox.touch(cursor);
    }
    advanced(cursor);
    this.lineUp(cursor);
  }

  #send(sending: Sending, keys: readonly SigningKey[]): void {
    const { cursor, event, number } = sending;
    const { sender, ambient, fail } = this.#options;
    const startedAt = ambient.now();
    const ahead = cursor.signedAhead;
    const isReady = isCurrent(ahead, { event, at: startedAt, keys });
    const signed = isReady ? ahead : sign(event, cursor.subscription, keys, startedAt);
    cursor.signedAhead = undefined;
    const { generation } = cursor.subscription.webhook;
    const attempt: Attempt = { cursor, event, number, messageId: signed.messageId, startedAt, generation, keys };
    this.#inFlight++;
    (cursor.trying ??= new Set()).add(event.offset);
    sender.send(attempt, signed).then((outcome) => this.#ended(attempt, sending, outcome), fail);
  }

  /** Starts the next attempt before it writes this one's records, so that the receiver does not wait for them. */
  #ended(attempt: Attempt, { lane, kind }: Place, outcome: AttemptOutcome): void {
    const { lanes, advanced, attempts } = this.#options;
    const { cursor } = attempt;
    cursor.trying?.delete(attempt.event.offset);
    if (!this.#dropped) this.#settling.settle(attempt, outcome);
    this.#inFlight--;
    attempts.ended(lane.account, outcome);
    lanes.ended(lane, kind, endOf(outcome), outcome.kind === 'dropped' ? 0 : outcome.durationMs);
    if (this.#inFlight === 0) this.#drained?.();
    if (this.#stopping) return;
    advanced(cursor);
    this.lineUp(cursor);
  }
}
