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
export const batchMax = 50;
/** The wait between batches while more alerts than that are new, as after a restart. */
const batchGapMs = 1_000;

/** Trouble that lasts. */
export interface LastingTrouble {
  readonly code: AlertCode;
  readonly subject: string;
  /** Returns a whole sentence that says what to do: called each time the alert is raised. */
  readonly describe: () => string;
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
  readonly raise: (trouble: LastingTrouble) => boolean;
  readonly end: (subject: AlertSubject) => void;
}

export class HeldAlerts {
  readonly #options: HeldAlertsOptions;
  /** The holders of each alert, by `alertKey`; the least recently raised alert first. */
  readonly #holders = new Map<string, Set<LastingTrouble>>();
  /** Keys of held alerts that were not raised yet. */
  readonly #unraised = new Set<string>();
  #isRaising = false;
  #repeatTimer: NodeJS.Timeout | undefined;

  constructor(options: HeldAlertsOptions) {
    this.#options = options;
  }

  /** Several holders can hold the same alert: it ends with the last of them. */
  hold(trouble: LastingTrouble): HeldAlert {
    const key = alertKey(trouble);
    const holders = this.#holders.get(key);
    if (holders === undefined) this.#startHolding(key, trouble);
    else holders.add(trouble);
    return {
      end: () => {
        if (this.#removeHolder(key, trouble)) this.#options.end({ code: trouble.code, subject: trouble.subject });
      },
      release: () => void this.#removeHolder(key, trouble),
    };
  }

  #startHolding(key: string, trouble: LastingTrouble): void {
    this.#holders.set(key, new Set([trouble]));
    this.#unraised.add(key);
    if (!this.#isRaising) this.#raiseSoon(0);
    this.#repeatTimer ??= setInterval(
      () => this.#raise([...this.#holders.keys()].slice(0, batchMax)),
      repeatMs,
    ).unref();
  }

  /** Removes a holder, and returns whether it was the last one of the alert. */
  #removeHolder(key: string, trouble: LastingTrouble): boolean {
    const holders = this.#holders.get(key);
    if (holders?.delete(trouble) !== true || holders.size > 0) return false;
    this.#holders.delete(key);
    this.#unraised.delete(key);
    if (this.#holders.size > 0) return true;
    clearInterval(this.#repeatTimer);
    this.#repeatTimer = undefined;
    return true;
  }

  #raiseSoon(waitMs: number): void {
    this.#isRaising = true;
    setTimeout(() => {
      this.#raise([...this.#unraised].slice(0, batchMax));
      if (this.#unraised.size > 0) this.#raiseSoon(batchGapMs);
      else this.#isRaising = false;
    }, waitMs).unref();
  }

  #raise(keys: readonly string[]): void {
    for (const key of keys) {
      const holders = this.#holders.get(key);
      const [first] = holders ?? [];
      if (holders === undefined || first === undefined) continue;
      // The keys raised most recently come last, so they are repeated last.
      this.#holders.delete(key);
      this.#holders.set(key, holders);
      if (this.#options.raise(first)) this.#unraised.delete(key);
    }
  }
}
