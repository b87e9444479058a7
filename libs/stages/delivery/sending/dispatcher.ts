// Starts attempts in turn, and acts on how they end.
import type { Ambient } from '../../../domain/ambient.ts';
import { dueAfterRestart } from '../../../domain/delivery/cursor.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Keyring } from '../../../domain/secrets/keyring.ts';
import type { Millis } from '../../../domain/message.ts';
import { inTime } from '../../../primitives/time-limit.ts';
import type { Webhook, WebhookOutcome } from '../../../webhooks/webhook.ts';
import type { BufferedEvent } from '../cursors/buffer.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { signingKeys } from '../listeners/signing-keys.ts';
import type { WebhookTarget } from '../listeners/target.ts';
import type { Outbox } from '../outbox.ts';
import { attemptRecords, recordsBytes } from '../records/attempt-records.ts';
import type { Attempt, Ending } from '../records/attempt-records.ts';
import { verdictOn } from '../records/webhook-verdict.ts';
import type { Feeder } from '../sources/feeder.ts';
import { DueQueue } from './due-queue.ts';
import type { Lanes } from './lanes.ts';
import { endOf, type AttemptKind } from './reputation.ts';
import { isCurrent, requestOf, sign } from './request.ts';

export interface DispatcherOptions {
  readonly webhook: Webhook;
  readonly lanes: Lanes;
  readonly ambient: Ambient;
  readonly keyring: Keyring;
  /** For cursors whose listener is a source: nothing is sent by HTTP. */
  readonly sources: Feeder;
  readonly outbox: Outbox;
  readonly deletions: Deletions;
  /** Reads an event of `channels` again; undefined when it is gone. */
  readonly reread: (offset: number) => Promise<BufferedEvent | undefined>;
  /** The cursor's turn has come, but its next event must first be read; then the cursor is lined up again. */
  readonly read: (cursor: EmitterCursor) => void;
  /** The cursor holds fewer events, or may go on. */
  readonly advanced: (cursor: EmitterCursor) => void;
  /** No more may be sent to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  /** The webhook's signing key does not open. */
  readonly closed: (webhook: WebhookTarget) => void;
  readonly alert: (message: string, details: object) => void;
  readonly fail: (error: Error) => void;
}

interface Retry {
  readonly cursor: EmitterCursor;
  readonly offset: number;
  /** On the clock of `performance.now`. */
  readonly dueAt: number;
}

interface Reread {
  readonly cursor: EmitterCursor;
  readonly offset: number;
  readonly kind: AttemptKind;
  readonly event: BufferedEvent | undefined;
}

interface Sending {
  readonly cursor: EmitterCursor;
  readonly event: BufferedEvent;
  readonly kind: AttemptKind;
  /** The attempt's, from 1. */
  readonly number: number;
}

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #due: DueQueue<Retry>;
  /** Attempts that wait for a data key or for room in the outbox. */
  #held: (() => void)[] = [];
  /** Attempts that have ended in this turn of the event loop. */
  #unwritten: (readonly [Attempt, Ending])[] = [];
  #inFlight = 0;
  #stopping = false;
  #dropped = false;
  #drained: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#due = new DueQueue(
      () => performance.now(),
      (retry) => this.#queueRetry(retry),
    );
  }

  /** To be called whenever a first attempt of the cursor may have become possible. */
  lineUp(cursor: EmitterCursor): void {
    const { lanes, sources } = this.#options;
    if (cursor.subscription.webhook.isSource) return sources.lineUp(cursor);
    if (cursor.linedUp || this.#stopping || !cursor.startable) return;
    cursor.linedUp = true;
    lanes.wait(lanes.of(cursor.subscription.webhook), cursor.kind, this.#turnOf(cursor));
  }

  /** Tries an open event of the cursor again at `dueAt`; setting the clock meanwhile changes nothing. */
  retryAt(cursor: EmitterCursor, offset: number, dueAt: Millis): void {
    const waitMs = dueAt - this.#options.ambient.now();
    if (!this.#stopping) this.#due.add({ cursor, offset, dueAt: performance.now() + waitMs });
  }

  /** After a restart: goes on with open deliveries and with the next event. */
  resume(cursor: EmitterCursor): void {
    const now = this.#options.ambient.now();
    for (const delivery of cursor.unfinished()) this.retryAt(cursor, delivery.offset, dueAfterRestart(delivery, now));
    this.lineUp(cursor);
  }

  /** Puts the records of all ended attempts into the outbox: to be called before anything is taken from it. */
  writeRecords(): void {
    if (this.#unwritten.length === 0) return;
    const unwritten = this.#unwritten;
    this.#unwritten = [];
    for (const [attempt, ending] of unwritten) {
      const records = attemptRecords(attempt, ending);
      this.#options.outbox.complete(attempt.cursor, records, recordsBytes(records, ending));
      this.#signAhead(attempt.cursor);
    }
  }

  /** Signs an ordered cursor's next event while its receiver is at work on the current one. */
  #signAhead(cursor: EmitterCursor): void {
    const { webhook } = cursor.subscription;
    const event = cursor.upNext;
    if (!webhook.ordered || event === undefined || webhook.keys === undefined) return;
    cursor.signedAhead = sign(event, cursor.subscription, webhook.keys, this.#options.ambient.now());
  }

  /** Tries again what waited for a data key or for room in the outbox. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const again of held) again();
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

  #turnOf(cursor: EmitterCursor) {
    cursor.turn ??= { start: () => this.#startFirst(cursor) };
    return cursor.turn;
  }

  #startFirst(cursor: EmitterCursor): boolean {
    const { ambient, lanes, advanced } = this.#options;
    cursor.linedUp = false;
    if (this.#stopping || !cursor.startable) return false;
    if (this.#options.deletions.pass(cursor)) {
      advanced(cursor);
      this.lineUp(cursor);
      return false;
    }
    if (cursor.queued === 0) {
      this.#options.read(cursor);
      return false;
    }
    const { webhook } = cursor.subscription;
    const keys = this.#mayStart(webhook, () => this.lineUp(cursor));
    const event = keys && cursor.begin(ambient.now());
    if (keys === undefined || event === undefined) return false;
    this.#send({ cursor, event, kind: cursor.kind, number: 1 }, keys);
    if (cursor.startable) {
      cursor.linedUp = true;
      lanes.of(webhook).waiting[cursor.kind].push(this.#turnOf(cursor));
    }
    advanced(cursor);
    return true;
  }

  #queueRetry({ cursor, offset }: Retry): void {
    const attempts = cursor.attemptsAt(offset);
    if (cursor.stopped || attempts === undefined) return;
    const { lanes } = this.#options;
    // A first attempt that was in flight when its owner died is a first attempt again.
    const kind = attempts === 0 || cursor.kind === 'replay' ? cursor.kind : 'retry';
    const lane = lanes.of(cursor.subscription.webhook);
    lanes.wait(lane, kind, { start: () => this.#startRetry({ cursor, offset, kind }) });
  }

  #startRetry({ cursor, offset, kind }: { cursor: EmitterCursor; offset: number; kind: AttemptKind }): boolean {
    if (this.#stopping || cursor.stopped || cursor.attemptsAt(offset) === undefined) return false;
    const again = (): void => this.#queueRetry({ cursor, offset, dueAt: 0 });
    const keys = this.#mayStart(cursor.subscription.webhook, again);
    if (keys === undefined || !cursor.aside.claim(offset)) return false;
    this.#options.reread(offset).then(
      (event) => this.#resend({ cursor, offset, kind, event }, keys),
      (error: unknown) => this.#unread(cursor.subscription.webhook, kind, error),
    );
    return true;
  }

  /** Gives the place back: this error ends the task, but lanes outlive it. */
  #unread(webhook: WebhookTarget, kind: AttemptKind, error: unknown): void {
    const { lanes, fail } = this.#options;
    fail(error instanceof Error ? error : new Error(String(error)));
    lanes.ended(lanes.of(webhook), kind, 'void');
  }

  #resend({ cursor, offset, kind, event }: Reread, keys: readonly SigningKey[]): void {
    const { lanes, outbox, deletions, alert, advanced } = this.#options;
    const attempts = cursor.attemptsAt(offset);
    const ended = this.#stopping || cursor.stopped || attempts === undefined;
    const isDeleted = event !== undefined && deletions.isDeleted(event);
    if (event !== undefined && !ended && !isDeleted)
      return this.#send({ cursor, event, kind, number: attempts + 1 }, keys);
    cursor.aside.unclaim(offset);
    lanes.ended(lanes.of(cursor.subscription.webhook), kind, 'void');
    if (ended) return;
    if (!isDeleted)
      alert('An event that is still to be delivered is not on the log any more.', { cursor: cursor.key, offset });
    cursor.finish(offset, isDeleted ? 'deleted' : 'gone');
    outbox.touch(cursor);
    advanced(cursor);
    this.lineUp(cursor);
  }

  /** The keys to sign with; undefined: not now, and `again` is called when it may be possible. */
  #mayStart(webhook: WebhookTarget, again: () => void): readonly SigningKey[] | undefined {
    const { outbox, keyring, alert, stop, closed } = this.#options;
    if (outbox.full) {
      this.#held.push(again);
      return undefined;
    }
    try {
      const keys = signingKeys(webhook, keyring);
      if (keys === undefined) this.#held.push(again);
      return keys;
    } catch {
      stop(webhook);
      closed(webhook);
      alert('The signing key of a webhook does not open: nothing is delivered to it.', {
        webhookId: webhook.webhookId,
      });
      return undefined;
    }
  }

  #send({ cursor, event, kind, number }: Sending, keys: readonly SigningKey[]): void {
    const { webhook, ambient, fail } = this.#options;
    const startedAt = ambient.now();
    const ahead = cursor.signedAhead;
    const signed = isCurrent(ahead, event, startedAt) ? ahead : sign(event, cursor.subscription, keys, startedAt);
    const attempt: Attempt = { cursor, event, number, messageId: signed.messageId, startedAt };
    this.#inFlight++;
    webhook
      .post(requestOf(cursor.subscription.webhook.url, event, signed, cursor.replayId))
      .then((outcome) => this.#ended(attempt, kind, outcome), fail);
  }

  /** Lets the next attempt begin first and writes this one's records after that: the receiver is not kept waiting for them. */
  #ended(attempt: Attempt, kind: AttemptKind, outcome: WebhookOutcome): void {
    const { lanes, advanced } = this.#options;
    const { cursor } = attempt;
    if (!this.#dropped) this.#settle(attempt, outcome);
    this.#inFlight--;
    const lane = lanes.of(cursor.subscription.webhook);
    lanes.ended(lane, kind, endOf(outcome), outcome.durationMs);
    if (this.#inFlight === 0) this.#drained?.();
    if (this.#stopping) return;
    advanced(cursor);
    this.lineUp(cursor);
  }

  #settle(attempt: Attempt, outcome: WebhookOutcome): void {
    const { ambient, stop } = this.#options;
    const { cursor, event } = attempt;
    // Given up while the attempt was in flight, and so already accounted for.
    if (cursor.attemptsAt(event.offset) === undefined) return;
    const verdict = verdictOn(attempt, outcome, ambient);
    const endedAt = ambient.now();
    const dueAt = verdict.kind === 'retry' ? endedAt + verdict.waitMs : null;
    const nextAttemptAt = cursor.stopped ? null : dueAt;
    if (verdict.kind !== 'retry') cursor.finish(event.offset, verdict.kind === 'park' ? 'parked' : 'delivered');
    else cursor.postpone(event.offset, { dueAt: endedAt + verdict.waitMs, waitMs: verdict.waitMs });
    if (nextAttemptAt !== null) this.retryAt(cursor, event.offset, nextAttemptAt);
    this.#record(attempt, { outcome, verdict, endedAt, nextAttemptAt });
    if (verdict.kind === 'park' && verdict.reason === 'gone') stop(cursor.subscription.webhook);
  }

  #record(attempt: Attempt, ending: Ending): void {
    if (this.#unwritten.length === 0) setImmediate(() => this.writeRecords());
    this.#unwritten.push([attempt, ending]);
  }
}
