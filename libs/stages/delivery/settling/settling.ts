// Handles the end of an attempt: finishes its event, queues a retry or lets the event block, and writes records.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Millis } from '../../../domain/message.ts';
import { afterInput } from '../../../primitives/event-loop/turn.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { Outbox } from '../outbox.ts';
import { signAhead } from '../admission/sign-ahead.ts';
import { park } from '../replay-cursors/park.ts';
import { ReplayCursor } from '../replay-cursors/replay-cursor.ts';
import { suspend } from '../admission/suspension.ts';
import type { AttemptOutcome, EndedOutcome } from '../outcomes/outcome.ts';
import { droppedLate, recordsOf, withoutAnswerBytes } from '../records/attempt-records.ts';
import type { Attempt, AttemptEnding } from '../records/attempt-records.ts';
import type { BlockedAlerts } from './blocked-alerts.ts';
import type { FailingWebhooks, Owner } from '../failing/failing-webhooks.ts';
import { failedAttempt } from '../outcomes/cursor-report.ts';
import { hasChanged, isGone, isPastLast, lateVerdict, verdictOn } from './webhook-verdict.ts';

export interface SettlingOptions {
  readonly ambient: Ambient;
  readonly outbox: Outbox;
  readonly blocked: BlockedAlerts;
  readonly failing: FailingWebhooks;
  readonly ownerOf: (cursor: SourceCursor) => Owner;
  /** Stops sending to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  readonly retryAt: (cursor: SourceCursor, offset: number, dueAt: Millis) => void;
}

export class Settling {
  readonly #options: SettlingOptions;
  /** Attempts that have ended in the last two turns of the event loop. */
  #unwritten: (readonly [Attempt, AttemptEnding])[] = [];

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  settle(attempt: Attempt, outcome: AttemptOutcome): void {
    const { ambient, blocked, stop, retryAt } = this.#options;
    const { cursor, event } = attempt;
    if (cursor.attemptsAt(event.offset) === undefined) return this.#settleLate(attempt, outcome);
    if (outcome.kind === 'dropped') return this.#finishDropped(attempt);
    const verdict = verdictOn(attempt, outcome, ambient);
    const endedAt = ambient.now();
    const waitMs = verdict.kind === 'retry' ? verdict.waitMs : 0;
    const isGoneNow = isGone(verdict);
    const isRetried = verdict.kind === 'retry' || (verdict.kind === 'block' && !isGoneNow && hasChanged(attempt));
    const nextAttemptAt = cursor.stopped || !isRetried ? null : endedAt + waitMs;
    this.#noteResult(attempt, outcome, verdict.kind === 'delivered' ? undefined : endedAt);
    if (verdict.kind === 'block' && isPastLast(attempt)) blocked.noteBlocking(attempt);
    else blocked.noteEnded(attempt);
    if (verdict.kind === 'delivered') cursor.finish(event.offset, 'delivered');
    else if (verdict.kind === 'park') park(cursor, event);
    else {
      cursor.postpone(event.offset, { dueAt: endedAt + waitMs, waitMs });
      if (nextAttemptAt === null) suspend(cursor, event.offset);
      else retryAt(cursor, event.offset, nextAttemptAt);
    }
    this.#record(attempt, { outcome, verdict, endedAt, nextAttemptAt });
    if (isGoneNow) stop(cursor.subscription.webhook);
  }

  #noteResult(attempt: Attempt, outcome: EndedOutcome, endedAt: Millis | undefined): void {
    const { failing, ownerOf } = this.#options;
    const { cursor, event, startedAt } = attempt;
    if (endedAt === undefined) return failing.clear(cursor.subscription.webhook);
    cursor.reportState.failed = failedAttempt(event.eventId, outcome, endedAt);
    // The subscription was deleted while the attempt was in flight.
    if (cursor.subscription.closed) return;
    if (cursor.replayId === undefined) failing.noteFailure(cursor, startedAt, ownerOf(cursor));
  }

  /** Puts the records of all ended attempts into the outbox; call before anything is taken from it. */
  writeRecords(): void {
    if (this.#unwritten.length === 0) return;
    const unwritten = this.#unwritten;
    this.#unwritten = [];
    for (const [attempt, ending] of unwritten) {
      const { records, bytes } = recordsOf(attempt, ending, attempt.cursor.pendingBytes);
      this.#options.outbox.complete(attempt.cursor, records, bytes);
      signAhead(attempt.cursor, this.#options.ambient.now());
    }
  }

  /** Handles an event that was given up while the attempt was in flight: it is already counted. */
  #settleLate(attempt: Attempt, outcome: AttemptOutcome): void {
    const { ambient } = this.#options;
    const { cursor, event } = attempt;
    const wasDiscarded = cursor.discarded?.delete(event.offset) === true;
    const isRecorded = wasDiscarded && outcome.kind !== 'dropped';
    const verdict = isRecorded ? lateVerdict(verdictOn(attempt, outcome, ambient)) : undefined;
    if (cursor instanceof ReplayCursor) cursor.attemptEnded(event.offset, verdict?.kind === 'delivered');
    if (!isRecorded || verdict === undefined) return;
    this.#record(attempt, { outcome, verdict, endedAt: ambient.now(), nextAttemptAt: null });
  }

  /** Handles an event that the attempt's transform dropped. */
  #finishDropped(attempt: Attempt): void {
    const { ambient, blocked, outbox } = this.#options;
    blocked.noteEnded(attempt);
    attempt.cursor.finish(attempt.event.offset, 'filtered');
    if (attempt.number === 1 || attempt.cursor.replayId !== undefined) outbox.touch(attempt.cursor);
    else {
      const dropped = { ...attempt, attempts: attempt.number - 1, by: 'transform' } as const;
      outbox.complete(attempt.cursor, [droppedLate(dropped, ambient.now())], withoutAnswerBytes);
    }
  }

  /** Records are written after the input: before it, undici writes the next request to this answer's connection. */
  #record(attempt: Attempt, ending: AttemptEnding): void {
    if (this.#unwritten.length === 0) void afterInput().then(() => this.writeRecords());
    this.#unwritten.push([attempt, ending]);
  }
}
