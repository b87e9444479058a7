// Asks for alerts, by command to lifecycle: never waited for, never too many, and tried again while the log is away.
import type { Ambient } from '../../../domain/ambient.ts';
import { alertKey } from '../../../domain/alert/alerts.ts';
import type { AlertCode, AlertCommand } from '../../../domain/alert/messages.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Log } from '../../../log/log.ts';

/** How anything in the process tells the operator of trouble; without secrets, payloads and offsets. Never throws. */
export interface Alerts {
  /** May be called as often as the trouble is met. `message` is a whole sentence, with what to do. */
  raise(code: AlertCode, subject: string, message: string): void;
  /** The trouble is over; without it an alert is over a day after it was last raised. */
  end(code: AlertCode, subject: string): void;
}

/** Nobody listens. */
export const noAlerts: Alerts = { raise: () => {}, end: () => {} };

/** Lifecycle tells once for each code and subject; asking more often than this helps nobody. */
const repeatMs = 60_000;
/** Codes and subjects whose last raise is remembered; as many as may be live. */
const rememberedMax = 1_000;
/** What waits for the log: the newest is dropped beyond it, and raised again by whoever meets the trouble again. */
const waitingMax = 100;
/** Between attempts while the log does not take it. */
const retryMs = 5_000;
/** What a sentence may have; a longer one is cut. */
const messageCharsMax = 1_000;

export interface AlertSenderOptions {
  readonly log: Pick<Log, 'request'>;
  readonly ambient: Ambient;
  /** Told when it gives up on an alert for good, which must not end anything. */
  readonly onLost: (reason: string) => void;
}

export class AlertSender implements Alerts {
  readonly #options: AlertSenderOptions;
  /** When each was last asked for, oldest first. */
  readonly #asked = new Map<string, number>();
  readonly #waiting: AlertCommand[] = [];
  #sending = false;

  constructor(options: AlertSenderOptions) {
    this.#options = options;
  }

  raise(code: AlertCode, subject: string, message: string): void {
    const key = alertKey({ code, subject });
    const now = performance.now();
    const last = this.#asked.get(key);
    if (last !== undefined && now - last < repeatMs) return;
    this.#asked.delete(key);
    this.#asked.set(key, now);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > rememberedMax && oldest !== undefined) this.#asked.delete(oldest);
    const data = { code, subject, message: message.slice(0, messageCharsMax).toWellFormed() };
    this.#send({ ...this.#envelope(key), type: 'RaiseAlert', data });
  }

  end(code: AlertCode, subject: string): void {
    const key = alertKey({ code, subject });
    this.#asked.delete(key);
    this.#send({ ...this.#envelope(key), type: 'EndAlert', data: { code, subject } });
  }

  #envelope(key: string) {
    const { ambient } = this.#options;
    const id = idFromBytes('cmd', ambient.randomBytes(idBytes));
    return { id, version: 1, key, at: ambient.now(), workspace: '', correlationId: id, causationId: id };
  }

  #send(command: AlertCommand): void {
    if (this.#waiting.length >= waitingMax) return this.#options.onLost('too many alerts wait for the log');
    this.#waiting.push(command);
    if (this.#sending) return;
    this.#sending = true;
    void this.#drain().finally(() => (this.#sending = false));
  }

  async #drain(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (await this.#sent(next)) this.#waiting.shift();
      else await new Promise<void>((resolve) => setTimeout(resolve, retryMs).unref());
    }
  }

  /** False: it is to be tried again. A copy after an unknown outcome changes nothing. */
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
