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
import type { HeldAlert, Lasting } from './held-alerts.ts';

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
  hold(lasting: Lasting): HeldAlert;
  /** Ends the alert; without this call an alert that is not held ends a day after it was last raised. */
  end(code: AlertCode, subject: string): void;
}

/** Creates the alerts of each stage. */
export interface AlertsOfStages {
  by(stage: StageName): Alerts;
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
const waitingMax = 100;
/** Ends that wait for room among the commands: as many as alerts can be live at once. */
const endsMax = 1_000;
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
interface Asked {
  readonly againAt: number;
  readonly isTaken: boolean;
}

export class AlertSender implements AlertsOfStages {
  readonly #options: AlertSenderOptions;
  /** By `alertKey`, the least recently raised first. */
  readonly #asked = new Map<string, Asked>();
  readonly #waiting: AlertCommand[] = [];
  /** By `alertKey`: ends that must not be lost, since no caller would end these alerts again. */
  readonly #ends = new Map<string, AlertCommand>();
  #sending = false;

  constructor(options: AlertSenderOptions) {
    this.#options = options;
  }

  by(stage: StageName): Alerts {
    const held = new HeldAlerts({
      raise: ({ code, subject, say, since }) => this.#raise(stage, { code, subject, message: say(), since }),
      end: (subject) => this.#end(stage, subject),
    });
    return {
      raise: (code, subject, message, since) => void this.#raise(stage, { code, subject, message, since }),
      hold: (lasting) => held.hold(lasting),
      end: (code, subject) => this.#end(stage, { code, subject }),
    };
  }

  /** Returns false when the alert was dropped. */
  #raise(stage: StageName, { code, subject, message, since }: RaisedAlert): boolean {
    const key = alertKey({ code, subject });
    const now = performance.now();
    const last = this.#asked.get(key);
    if (last !== undefined && now < last.againAt) return last.isTaken;
    const cut = message.slice(0, messageCharsMax).toWellFormed();
    const data = { code, subject, message: cut, ...(since === undefined ? {} : { since }) };
    const isTaken = this.#send({ ...this.#envelope(stage, key), type: 'RaiseAlert', data });
    if (!isTaken) this.#lose();
    this.#asked.delete(key);
    this.#asked.set(key, { againAt: now + (isTaken ? repeatMs : retryMs), isTaken });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > rememberedMax && oldest !== undefined) this.#asked.delete(oldest);
    return isTaken;
  }

  #end(stage: StageName, { code, subject }: Pick<RaisedAlert, 'code' | 'subject'>): void {
    const key = alertKey({ code, subject });
    this.#asked.delete(key);
    const command: AlertCommand = { ...this.#envelope(stage, key), type: 'EndAlert', data: { code, subject } };
    if (this.#send(command)) return;
    if (this.#ends.size < endsMax) this.#ends.set(key, command);
    else this.#lose();
  }

  #lose(): void {
    this.#options.onLost('too many alerts wait for the log');
  }

  #envelope(stage: StageName, key: string) {
    const { ambient } = this.#options;
    const id = idFromBytes('cmd', ambient.randomBytes(idBytes));
    return { id, version: 1, key, at: ambient.now(), workspace: '', ...chainFrom(id, stage) };
  }

  /** Returns false when too many commands wait. */
  #send(command: AlertCommand): boolean {
    if (this.#waiting.length >= waitingMax) return false;
    this.#waiting.push(command);
    if (this.#sending) return true;
    this.#sending = true;
    void this.#drain().finally(() => (this.#sending = false));
    return true;
  }

  async #drain(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (await this.#sent(next)) this.#shift();
      else await new Promise<void>((resolve) => setTimeout(resolve, retryMs).unref());
    }
  }

  /** Removes the first command, which was sent, and fills its room with a waiting end, before any alert is raised. */
  #shift(): void {
    this.#waiting.shift();
    const [end] = this.#ends;
    if (end === undefined) return;
    const [key, command] = end;
    this.#ends.delete(key);
    this.#waiting.push(command);
  }

  /** Returns false to retry. The command is idempotent: a copy after an unknown outcome changes nothing. */
  async #sent(record: AlertCommand): Promise<boolean> {
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
