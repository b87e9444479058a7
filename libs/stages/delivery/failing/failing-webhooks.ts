// Alerts the operator when every attempt to a webhook has failed for a long time, and ends the alert at a success.
import type { FailedAttempt } from '../../../domain/delivery/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import type { HeldAlert } from '../../loop/alerts/held-alerts.ts';
import type { WebhookTarget } from '../targets/target.ts';

/** The most live `webhook_failing` alerts, for the webhooks that have failed longest: more would hide each other. */
const alertsMax = 200;

/** The parts of a cursor that are used here. */
export interface FailingCursor {
  readonly subscription: { readonly webhook: WebhookTarget };
  readonly reportState: { readonly failed: FailedAttempt | null; failingSince: Millis | undefined };
  readonly position: { readonly open: readonly object[] };
  readonly retries: { readonly size: number };
}

/** What a cursor's partition provides. */
export interface Owner {
  readonly alerts: Alerts;
  /** Marks the cursor's record to be written again. */
  readonly touch: () => void;
}

interface Failing {
  webhook: WebhookTarget;
  since: Millis;
  /** The cursors whose newest attempt failed, each with its partition. */
  readonly cursors: Map<FailingCursor, Owner>;
  alert?: HeldAlert | undefined;
}

export interface FailingOptions {
  readonly now: () => Millis;
  /** How long all attempts must have failed. */
  readonly failingMs: Millis;
  /** The time between checks for such webhooks. */
  readonly checkMs: Millis;
}

/** One instance for the process: a webhook's sources are in several partitions. */
export class FailingWebhooks {
  readonly #options: FailingOptions;
  readonly #webhooks = new Map<string, Failing>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FailingOptions) {
    this.#options = options;
  }

  /** Call when an attempt of a subscription's own cursor has failed. */
  noteFailure(cursor: FailingCursor, at: Millis, owner: Owner): void {
    const failing = this.#failingOf(cursor, cursor.reportState.failingSince ?? at);
    cursor.reportState.failingSince ??= failing.since;
    failing.cursors.set(cursor, owner);
  }

  /** Call for each cursor after a restart. */
  restore(cursor: FailingCursor, owner: Owner): void {
    const { failingSince } = cursor.reportState;
    if (failingSince !== undefined) this.#failingOf(cursor, failingSince).cursors.set(cursor, owner);
  }

  /** Call when an attempt to the webhook has succeeded, or its url has changed. */
  clear({ webhookId }: Pick<WebhookTarget, 'webhookId'>): void {
    const failing = this.#webhooks.get(webhookId);
    if (failing === undefined) return;
    for (const [cursor, { touch }] of failing.cursors) {
      cursor.reportState.failingSince = undefined;
      touch();
    }
    this.#end(webhookId, failing);
  }

  /** Call when the cursor's subscription is deleted. */
  removeCursor(cursor: FailingCursor): void {
    const { webhookId } = cursor.subscription.webhook;
    const failing = this.#webhooks.get(webhookId);
    if (failing?.cursors.size === 1 && failing.cursors.has(cursor)) this.#end(webhookId, failing);
    else failing?.cursors.delete(cursor);
  }

  /** Call when another process follows the cursor from now on. */
  releaseCursor(cursor: FailingCursor): void {
    const { webhookId } = cursor.subscription.webhook;
    const failing = this.#webhooks.get(webhookId);
    failing?.cursors.delete(cursor);
    const [other] = failing?.cursors.keys() ?? [];
    // That partition no longer keeps its copy of the webhook up to date.
    if (failing !== undefined && other !== undefined) failing.webhook = other.subscription.webhook;
    if (failing?.cursors.size !== 0) return;
    failing.alert?.release();
    this.#webhooks.delete(webhookId);
  }

  /** How many webhooks have failed for at least `failingMs`, and the longest time. */
  get longFailing(): { readonly webhooks: number; readonly longestMs: Millis } {
    const now = this.#options.now();
    let webhooks = 0;
    let longestMs = 0;
    for (const failing of this.#webhooks.values()) {
      if (!this.#hasFailedLong(failing, now)) continue;
      webhooks++;
      longestMs = Math.max(longestMs, now - failing.since);
    }
    return { webhooks, longestMs };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { alert } of this.#webhooks.values()) alert?.release();
    this.#webhooks.clear();
  }

  #failingOf({ subscription: { webhook } }: FailingCursor, since: Millis): Failing {
    const known = this.#webhooks.get(webhook.webhookId);
    const failing = known ?? { webhook, since, cursors: new Map<FailingCursor, Owner>() };
    failing.since = Math.min(failing.since, since);
    if (known === undefined) this.#webhooks.set(webhook.webhookId, failing);
    this.#timer ??= setInterval(() => this.#check(), this.#options.checkMs).unref();
    return failing;
  }

  #check(): void {
    const now = this.#options.now();
    if (this.#webhooks.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const longFailing = [...this.#webhooks.values()].filter((failing) => this.#hasFailedLong(failing, now));
    const alerted = new Set(longFailing.toSorted((a, b) => a.since - b.since).slice(0, alertsMax));
    for (const failing of this.#webhooks.values()) if (!alerted.has(failing)) dropAlert(failing);
    for (const failing of alerted) failing.alert ??= holdAlert(failing);
  }

  /** Whether a webhook has failed for long. False if it is stopped, which its state shows, or has nothing to try. */
  #hasFailedLong(failing: Failing, now: Millis): boolean {
    const { failingMs } = this.#options;
    if (failing.webhook.stopped || now - failing.since < failingMs) return false;
    return hasUnfinished(failing) || now - (newestOf(failing)?.at ?? 0) < failingMs;
  }

  /** Ends the webhook's alert, also if that was raised before a restart. */
  #end(webhookId: string, failing: Failing): void {
    const hasFailedLong = this.#options.now() - failing.since >= this.#options.failingMs;
    if (failing.alert !== undefined) failing.alert.end();
    else if (hasFailedLong) alertsOf(failing)?.end('webhook_failing', webhookId);
    this.#webhooks.delete(webhookId);
  }
}

/** The newest failure. */
function newestOf({ cursors }: Failing): FailedAttempt | null {
  let newest: FailedAttempt | null = null;
  for (const { reportState } of cursors.keys())
    if ((reportState.failed?.at ?? 0) > (newest?.at ?? -1)) newest = reportState.failed;
  return newest;
}

function hasUnfinished({ cursors }: Failing): boolean {
  for (const { position, retries } of cursors.keys()) if (position.open.length > 0 || retries.size > 0) return true;
  return false;
}

/** A paused or disabled webhook shows that itself, so its alert ends at once; any other alert runs out. */
function dropAlert(failing: Failing): void {
  if (failing.webhook.stopped) failing.alert?.end();
  else failing.alert?.release();
  failing.alert = undefined;
}

/** The alerts of any partition that follows the webhook. */
function alertsOf({ cursors }: Failing): Alerts | undefined {
  const [owner] = cursors.values();
  return owner?.alerts;
}

function holdAlert(failing: Failing): HeldAlert | undefined {
  const { webhook, since } = failing;
  const describe = (): string => messageOf(failing, newestOf(failing));
  return alertsOf(failing)?.hold({ code: 'webhook_failing', subject: webhook.webhookId, describe, since });
}

function messageOf({ webhook, since }: Failing, newest: FailedAttempt | null): string {
  const last = newest === null ? '' : `, the last one with ${newest.failure ?? `status ${newest.status}`}`;
  const what = `Every attempt to webhook ${webhook.webhookId} has failed since ${new Date(since).toISOString()}${last}.`;
  const then =
    newest?.failure === 'transform_failed'
      ? 'Repair the transform of its subscription'
      : 'Repair its receiver: then deliveries continue by themselves';
  return `${what} ${then}; or pause or delete the webhook.`;
}
