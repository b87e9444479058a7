// Starts attempts in turn, and handles their outcomes.
import type { Ambient } from '../../../domain/ambient.ts';
import { dueAfterRestart } from '../../../domain/delivery/cursor.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Millis } from '../../../domain/message.ts';
import { resolvesInTime } from '../../../primitives/time-limit.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { FailingWebhooks, Owner } from '../failing/failing-webhooks.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { dropDeleted } from '../deletions/drop-deleted.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { Attempts } from '../measuring/attempts.ts';
import type { Outbox } from '../outbox.ts';
import type { Attempt } from '../records/attempt-records.ts';
import type { BlockedAlerts } from '../settling/blocked-alerts.ts';
import { Settling, type SettlingOptions } from '../settling/settling.ts';
import type { SourceFeeder } from '../sources/source-feeder.ts';
import type { AttemptOutcome } from '../outcomes/outcome.ts';
import type { Sender } from '../transforms/sender.ts';
import { DueQueue } from './due-queue.ts';
import { WaitClock } from './wait-clock.ts';
import { Admission } from '../admission/admission.ts';
import { suspend, takeSuspended } from '../admission/suspension.ts';
import type { AttemptSlot, RereadAttempt, Retry, Sending } from './attempt-steps.ts';
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
  readonly sources: SourceFeeder;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  /** Reads an event of `channels` again; undefined if it is gone. */
  readonly reread: (cursor: SourceCursor, offset: number) => Promise<BufferedEvent | undefined>;
  /** Called when the cursor's turn has come, but its next event must first be read; then the cursor queues again. */
  readonly read: (cursor: SourceCursor) => void;
  /** Called when the cursor holds fewer events, or can continue. */
  readonly onAdvanced: (cursor: SourceCursor) => void;
  /** Stops sending to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  readonly blocked: BlockedAlerts;
  readonly failing: FailingWebhooks;
  readonly ownerOf: (cursor: SourceCursor) => Owner;
  /** Reports that the webhook's signing key cannot be unsealed. */
  readonly onClosedKey: (webhook: WebhookTarget) => void;
  readonly logError: (message: string, details: object) => void;
  readonly fail: (error: Error) => void;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #dueRetries: DueQueue<Retry>;
  readonly #clock: WaitClock;
  readonly #admission: Admission;
  readonly #settling: Settling;
  #inFlight = 0;
  #stopping = false;
  #isDropping = false;
  #onDrained: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#admission = new Admission(options);
    const retryAt: SettlingOptions['retryAt'] = (...retry) => this.retryAt(...retry);
    this.#settling = new Settling({ ...options, retryAt });
    const clock = (this.#clock = new WaitClock(() => options.ambient.now()));
    this.#dueRetries = new DueQueue(
      () => clock.now(),
      (retry) => retry.cursor.openAt(retry.offset)?.dueAt === retry.expectedDueAt && this.#queueRetry(retry),
    );
  }

  /** Call whenever a first attempt of the cursor might have become possible. */
  enqueue(cursor: SourceCursor): void {
    const { lanes, sources } = this.#options;
    if (cursor.subscription.webhook.isSource) return sources.enqueue(cursor);
    if (cursor.isInLane || this.#stopping || !cursor.canStart) return;
    cursor.isInLane = true;
    lanes.enqueue(lanes.laneOf(cursor.subscription.webhook), cursor.kind, this.#laneEntryOf(cursor));
  }

  /** Tries an open event of the cursor again at `dueAt`; setting the clock back has no effect on that. */
  retryAt(cursor: SourceCursor, offset: number, dueAt: Millis): void {
    const waitMs = dueAt - this.#options.ambient.now();
    const expectedDueAt = cursor.openAt(offset)?.dueAt;
    if (!this.#stopping && expectedDueAt !== undefined)
      this.#dueRetries.add({ cursor, offset, expectedDueAt, dueAt: this.#clock.now() + waitMs });
  }

  /** Continues with open deliveries and with the next event, after a restart. */
  resume(cursor: SourceCursor): void {
    const now = this.#options.ambient.now();
    for (const delivery of cursor.unfinished()) this.retryAt(cursor, delivery.offset, dueAfterRestart(delivery, now));
    this.enqueue(cursor);
  }

  /** Tries what became due during a pause, one retry after the other, and continues with the next event. */
  restartSuspended(cursors: Iterable<SourceCursor>): void {
    const now = this.#options.ambient.now();
    let tried = 0;
    for (const cursor of cursors) {
      for (const delivery of takeSuspended(cursor)) {
        const startAt = now + ((tried++ * restartGapMs) % restartSpreadMs);
        this.retryAt(cursor, delivery.offset, Math.max(dueAfterRestart(delivery, now), startAt));
      }
      this.enqueue(cursor);
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
    this.#dueRetries.close();
    if (this.#inFlight > 0 && drainMs > 0) {
      const drained = new Promise<void>((resolve) => (this.#onDrained = resolve));
      await resolvesInTime(drained, drainMs);
    }
    this.#isDropping = true;
  }

  #laneEntryOf(cursor: SourceCursor) {
    cursor.laneEntry ??= { start: (lane) => this.#startFirst(cursor, lane) };
    return cursor.laneEntry;
  }

  #startFirst(cursor: SourceCursor, lane: Lane): boolean {
    const { ambient, lanes, outbox, onAdvanced } = this.#options;
    const { webhook } = cursor.subscription;
    cursor.isInLane = false;
    if (this.#stopping) return false;
    if (cursor.moveToLines()) {
      outbox.touch(cursor);
      onAdvanced(cursor);
    }
    if (!cursor.canStart) return false;
    if (lane !== lanes.laneOf(webhook)) {
      this.enqueue(cursor);
      return false;
    }
    if (this.#options.deletions.dropNextDeleted(cursor)) {
      onAdvanced(cursor);
      this.enqueue(cursor);
      return false;
    }
    if (cursor.nextEvent === undefined) {
      this.#options.read(cursor);
      return false;
    }
    const keys = this.#admission.keysOf(webhook, () => this.enqueue(cursor));
    const event = keys && cursor.begin(ambient.now());
    if (keys === undefined || event === undefined) return false;
    this.#send({ cursor, event, lane, kind: cursor.kind, number: 1 }, keys);
    if (cursor.canStart) {
      cursor.isInLane = true;
      lane.waiting[cursor.kind].push(this.#laneEntryOf(cursor));
    }
    onAdvanced(cursor);
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
    lanes.enqueue(lanes.laneOf(cursor.subscription.webhook), kind, { start });
  }

  #startRetry({ cursor, offset, ...slot }: Omit<RereadAttempt, 'event'>): boolean {
    const { webhook } = cursor.subscription;
    if (this.#stopping || cursor.attemptsAt(offset) === undefined) return false;
    const retry = (): void => this.#queueRetry({ cursor, offset });
    if (cursor.stopped || slot.lane !== this.#options.lanes.laneOf(webhook)) {
      retry();
      return false;
    }
    const keys = this.#admission.keysOf(webhook, retry);
    if (keys === undefined || !cursor.retries.claim(offset)) return false;
    this.#options.reread(cursor, offset).then(
      (event) => this.#resend({ cursor, offset, ...slot, event }, keys),
      (error: unknown) => this.#failRead(slot, error),
    );
    return true;
  }

  /** Releases the slot: the error ends the task, but lanes outlive the task. */
  #failRead({ lane, kind }: AttemptSlot, error: unknown): void {
    const { lanes, fail } = this.#options;
    fail(error instanceof Error ? error : new Error(String(error)));
    lanes.attemptEnded(lane, kind, 'void');
  }

  #resend({ cursor, offset, lane, kind, event }: RereadAttempt, keys: readonly SigningKey[]): void {
    const { lanes, outbox, deletions, logError, onAdvanced } = this.#options;
    const attempts = cursor.attemptsAt(offset);
    const isOutdated = cursor.stopped || cursor.subscription.webhook.keys !== keys;
    const cannotSend = this.#stopping || isOutdated || attempts === undefined;
    const isDeleted = event !== undefined && deletions.isDeleted(event);
    if (event !== undefined && !cannotSend && !isDeleted)
      return this.#send({ cursor, event, lane, kind, number: attempts + 1 }, keys);
    cursor.retries.unclaim(offset);
    lanes.attemptEnded(lane, kind, 'void');
    // The webhook has changed while the event was read.
    if (isOutdated && !this.#stopping) this.#queueRetry({ cursor, offset });
    if (cannotSend) return;
    if (event !== undefined) dropDeleted(cursor, event, this.#options);
    else {
      logError('An event that is still to be delivered is not on the log any more.', { cursor: cursor.key, offset });
      this.#options.blocked.noteEnded({ cursor, event: { offset } });
      cursor.finish(offset, 'gone');
      outbox.touch(cursor);
    }
    onAdvanced(cursor);
    this.enqueue(cursor);
  }

  #send(sending: Sending, keys: readonly SigningKey[]): void {
    const { cursor, event, number } = sending;
    const { sender, ambient, fail } = this.#options;
    const startedAt = ambient.now();
    const signedAhead = cursor.signedAhead;
    const isReady = isCurrent(signedAhead, { event, at: startedAt, keys });
    const signed = isReady ? signedAhead : sign(event, cursor.subscription, keys, startedAt);
    cursor.signedAhead = undefined;
    const { generation } = cursor.subscription.webhook;
    const attempt: Attempt = { cursor, event, number, messageId: signed.messageId, startedAt, generation, keys };
    this.#inFlight++;
    (cursor.inFlight ??= new Set()).add(event.offset);
    sender.send(attempt, signed).then((outcome) => this.#handleEnd(attempt, sending, outcome), fail);
  }

  /** Starts the next attempt before it writes this one's records, so that the receiver does not wait for them. */
  #handleEnd(attempt: Attempt, { lane, kind }: AttemptSlot, outcome: AttemptOutcome): void {
    const { lanes, onAdvanced, attempts } = this.#options;
    const { cursor } = attempt;
    cursor.inFlight?.delete(attempt.event.offset);
    if (!this.#isDropping) this.#settling.settle(attempt, outcome);
    this.#inFlight--;
    attempts.countEnded(lane.slotStanding, outcome);
    lanes.attemptEnded(lane, kind, endOf(outcome), outcome.kind === 'dropped' ? 0 : outcome.durationMs);
    if (this.#inFlight === 0) this.#onDrained?.();
    if (this.#stopping) return;
    onAdvanced(cursor);
    this.enqueue(cursor);
  }
}
