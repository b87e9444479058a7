// Sends lifecycle commands that raise or end alerts: callers never wait, the rate is bounded, and they are retried
// while the log is unavailable.
import type { Ambient } from '../../../domain/ambient.ts';
import type { StageName } from '../../../domain/flow.ts';
import { alertKey } from '../../../domain/alert/alerts.ts';
import type { AlertCode, AlertCommand } from '../../../domain/alert/messages.ts';
import type { Millis } from '../../../domain/message.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import { PortError } from '../../../domain/port-error.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { Log } from '../../../log/log.ts';
import { HeldAlerts } from './held-alerts.ts';
import type { HeldAlert, LastingTrouble } from './held-alerts.ts';

/** How any part of the process reports trouble to the operator, without secrets, payloads or offsets. Never throws. */
export interface Alerts {
  /**
   * Can be called each time the trouble occurs. `message` is a whole sentence that says what to do; `since`: when the
   * trouble began, if that was earlier.
   */
  raise(code: AlertCode, subject: string, message: string, since?: Millis): void;
  /**
   * For trouble that lasts: the alert stays live until its holder ends it, or releases it because another process now
   * reports it.
   */
  hold(trouble: LastingTrouble): HeldAlert;
  /** Ends the alert; without this call an alert that is not held ends a day after it was last raised. */
  end(code: AlertCode, subject: string): void;
}

/** Creates the alerts of each stage. */
export interface AlertsOfStages {
  forStage(stage: StageName): Alerts;
}

/** Drops every alert. */
export const noAlerts: Alerts = {
  raise: () => {},
  hold: () => ({ end: () => {}, release: () => {} }),
  end: () => {},
};

/** Lifecycle reports each code and subject once, so asking more often than this gains nothing. */
const repeatMs = 60_000;
/** Codes and subjects whose last raise is remembered: as many as can be live at once. */
const rememberedMax = 1_000;
/** Commands that wait for the log. Further alerts are dropped, and raised again when the trouble occurs again. */
const pendingMax = 100;
/** Ends that wait for room among the commands: as many as alerts can be live at once. */
const pendingEndsMax = 1_000;
/** The wait between attempts while the log is unavailable, and before a dropped alert can be raised again. */
const retryMs = 5_000;
/** A longer message is cut. */
const messageCharsMax = 1_000;

export interface AlertSenderOptions {
  readonly log: Pick<Log, 'request'>;
  readonly ambient: Ambient;
  /** Called when an alert is dropped for good; this must not stop anything else. */
  readonly onLost: (reason: string) => void;
}

interface RaisedAlert {
  readonly code: AlertCode;
  readonly subject: string;
  readonly message: string;
  readonly since: Millis | undefined;
}

/** The last raise of an alert, and when it can be sent again, by a monotonic clock. */
interface LastRaise {
  readonly canRepeatAt: number;
  readonly wasAccepted: boolean;
}

export class AlertSender implements AlertsOfStages {
  readonly #options: AlertSenderOptions;
  /** By `alertKey`, the least recently raised first. */
  readonly #lastRaises = new Map<string, LastRaise>();
  readonly #pending: AlertCommand[] = [];
  /** By `alertKey`: ends that must not be lost, since no caller would end these alerts again. */
  readonly #pendingEnds = new Map<string, AlertCommand>();
  #isDraining = false;

  constructor(options: AlertSenderOptions) {
    this.#options = options;
  }

  forStage(stage: StageName): Alerts {
    const held = new HeldAlerts({
      raise: ({ code, subject, describe, since }) => this.#raise(stage, { code, subject, message: describe(), since }),
      end: (subject) => this.#end(stage, subject),
    });
    return {
      raise: (code, subject, message, since) => void this.#raise(stage, { code, subject, message, since }),
      hold: (trouble) => held.hold(trouble),
      end: (code, subject) => this.#end(stage, { code, subject }),
    };
  }

  /** Returns false when the alert was dropped. */
  #raise(stage: StageName, { code, subject, message, since }: RaisedAlert): boolean {
    const key = alertKey({ code, subject });
    const now = performance.now();
    const last = this.#lastRaises.get(key);
    if (last !== undefined && now < last.canRepeatAt) return last.wasAccepted;
    const truncated = message.slice(0, messageCharsMax).toWellFormed();
    const data = { code, subject, message: truncated, ...(since === undefined ? {} : { since }) };
    const wasAccepted = this.#enqueue({ ...this.#envelope(stage, key), type: 'RaiseAlert', data });
    if (!wasAccepted) this.#reportLoss();
    this.#lastRaises.delete(key);
    this.#lastRaises.set(key, { canRepeatAt: now + (wasAccepted ? repeatMs : retryMs), wasAccepted });
    const [oldest] = this.#lastRaises.keys();
    if (this.#lastRaises.size > rememberedMax && oldest !== undefined) this.#lastRaises.delete(oldest);
    return wasAccepted;
  }

  #end(stage: StageName, { code, subject }: Pick<RaisedAlert, 'code' | 'subject'>): void {
    const key = alertKey({ code, subject });
    this.#lastRaises.delete(key);
    const command: AlertCommand = { ...this.#envelope(stage, key), type: 'EndAlert', data: { code, subject } };
    if (this.#enqueue(command)) return;
    if (this.#pendingEnds.size < pendingEndsMax) this.#pendingEnds.set(key, command);
    else this.#reportLoss();
  }

  #reportLoss(): void {
    this.#options.onLost('too many alerts wait for the log');
  }

  #envelope(stage: StageName, key: string) {
    const { ambient } = this.#options;
    const id = idFromBytes('cmd', ambient.randomBytes(idBytes));
    return { id, version: 1, key, at: ambient.now(), workspace: '', ...chainFrom(id, stage) };
  }

  /** Returns false when too many commands wait. */
  #enqueue(command: AlertCommand): boolean {
    if (this.#pending.length >= pendingMax) return false;
    this.#pending.push(command);
    if (this.#isDraining) return true;
    this.#isDraining = true;
    void this.#drain().finally(() => (this.#isDraining = false));
    return true;
  }

  async #drain(): Promise<void> {
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      if (await this.#trySend(next)) this.#removeFirst();
      else await new Promise<void>((resolve) => setTimeout(resolve, retryMs).unref());
    }
  }

  /** Removes the first command, which was sent, and fills its room with a waiting end, before any alert is raised. */
  #removeFirst(): void {
    this.#pending.shift();
    const [end] = this.#pendingEnds;
    if (end === undefined) return;
    const [key, command] = end;
    this.#pendingEnds.delete(key);
    this.#pending.push(command);
  }

  /** Returns false to retry. The command is idempotent: a copy after an unknown outcome changes nothing. */
  async #trySend(record: AlertCommand): Promise<boolean> {
    try {
      await this.#options.log.request({ topic: 'commands', partition: 0, record });
      return true;
    } catch (error) {
      if (error instanceof PortError && error.retryable) return false;
      this.#options.onLost(error instanceof Error ? error.message : String(error));
      return true;
    }
  }
}
