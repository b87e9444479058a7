// Keeps alerts live as long as their trouble lasts: an alert that is not raised again ends after a day.
import { alertKey } from '../../../domain/alert/alerts.ts';
import type { AlertCode, AlertSubject } from '../../../domain/alert/messages.ts';
import type { Millis } from '../../../domain/message.ts';

/** Well below a day; lifecycle records an alert that continues once an hour. */
export const repeatMs = 60 * 60_000;
/**
 * Alerts raised in one batch: fewer than can wait for the log. One batch an hour repeats all that can be live within a
 * day.
 */
export const raisedMax = 50;
/** The wait between batches while more alerts than that are new, as after a restart. */
const nextMs = 1_000;

/** Trouble that lasts. */
export interface Lasting {
  readonly code: AlertCode;
  readonly subject: string;
  /** Returns a whole sentence that says what to do: called each time the alert is raised. */
  readonly say: () => string;
  /** When the trouble began, if that was earlier. */
  readonly since?: Millis | undefined;
}

export interface HeldAlert {
  /** Ends the alert, because the trouble is over. */
  end(): void;
  /** Stops repeating the alert without ending it, because another process reports the trouble from now on. */
  release(): void;
}

export interface HeldAlertsOptions {
  /** Returns false when it was dropped. A new alert is raised again a second later, any other with its next repeat. */
  readonly raise: (lasting: Lasting) => boolean;
  readonly end: (subject: AlertSubject) => void;
}

export class HeldAlerts {
  readonly #options: HeldAlertsOptions;
  /** The holders of each alert, by `alertKey`; the least recently raised alert first. */
  readonly #held = new Map<string, Set<Lasting>>();
  /** Keys of held alerts that were not raised yet. */
  readonly #new = new Set<string>();
  #raising = false;
  #repeating: NodeJS.Timeout | undefined;

  constructor(options: HeldAlertsOptions) {
    this.#options = options;
  }

  /** Several holders can hold the same alert: it ends with the last of them. */
  hold(lasting: Lasting): HeldAlert {
    const key = alertKey(lasting);
    const holders = this.#held.get(key);
    if (holders === undefined) this.#begin(key, lasting);
    else holders.add(lasting);
    return {
      end: () => {
        if (this.#leave(key, lasting)) this.#options.end({ code: lasting.code, subject: lasting.subject });
      },
      release: () => void this.#leave(key, lasting),
    };
  }

  #begin(key: string, lasting: Lasting): void {
    this.#held.set(key, new Set([lasting]));
    this.#new.add(key);
    if (!this.#raising) this.#raiseSoon(0);
    this.#repeating ??= setInterval(() => this.#raise([...this.#held.keys()].slice(0, raisedMax)), repeatMs).unref();
  }

  /** Removes a holder, and returns whether it was the last one of the alert. */
  #leave(key: string, lasting: Lasting): boolean {
    const holders = this.#held.get(key);
    if (holders?.delete(lasting) !== true || holders.size > 0) return false;
    this.#held.delete(key);
    this.#new.delete(key);
    if (this.#held.size > 0) return true;
    clearInterval(this.#repeating);
    this.#repeating = undefined;
    return true;
  }

  #raiseSoon(waitMs: number): void {
    this.#raising = true;
    setTimeout(() => {
      this.#raise([...this.#new].slice(0, raisedMax));
      if (this.#new.size > 0) this.#raiseSoon(nextMs);
      else this.#raising = false;
    }, waitMs).unref();
  }

  #raise(keys: readonly string[]): void {
    for (const key of keys) {
      const holders = this.#held.get(key);
      const [first] = holders ?? [];
      if (holders === undefined || first === undefined) continue;
      // The keys raised most recently come last, so they are repeated last.
      this.#held.delete(key);
      this.#held.set(key, holders);
      if (this.#options.raise(first)) this.#new.delete(key);
    }
  }
}
