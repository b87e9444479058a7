// Ends the process after a signal or a failure: once, in limited time, and with a report of the outcome.
import type { Logger } from 'pino';
import { PortError } from '../../domain/port-error.ts';
import { WrongMasterKeyError } from '../../domain/workspace/keyring.ts';
import { ConfigError } from '../config/settings.ts';
import { ListenError } from '../listen-error.ts';
import type { Outputs } from '../output/outputs.ts';
import { DeniedError } from './denied.ts';

/** Ctrl-C must end the process within 5 s, even if a stage hangs or the output is not read. */
const closeMaxMs = 4_200;
/** SIGHUP is sent when the terminal is closed. */
const endedBy = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The only way out: closes once, in limited time, and sets the exit code accordingly. */
export class End {
  readonly #logger: Logger;
  readonly #outputs: Outputs;
  #close: () => Promise<void> = () => Promise.resolve();
  #ending = false;

  constructor(logger: Logger, outputs: Outputs) {
    this.#logger = logger;
    this.#outputs = outputs;
    for (const signal of endedBy) process.on(signal, () => this.#signal(signal));
    process.on('disconnect', () => this.#signal('the end of the parent process'));
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
  }

  closeWith(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** Ends the process because of an error; failures during shutdown result from it, and are reported as such. */
  fatal(error: unknown): void {
    if (this.#ending) {
      this.#logger.debug({ err: error }, 'failed while ending');
      return;
    }
    if (isForPeople(error)) this.#outputs.stderr.write(`${error.message}\n`);
    else this.#logger.fatal({ err: error }, 'cannot continue');
    void this.#end(1);
  }

  #signal(signal: string): void {
    this.#logger.info({ signal }, 'stopping');
    void this.#end(0);
  }

  async #end(code: number): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    const late = setTimeout(() => {
      this.#logger.error({ closeMaxMs }, 'what runs did not end in time: it is repeated at the next start');
      void this.#exit(1);
    }, closeMaxMs);
    let failed = code;
    try {
      await this.#close();
      this.#logger.info('stopped');
    } catch (error) {
      this.#logger.error({ err: error }, 'closing failed');
      failed = 1;
    }
    clearTimeout(late);
    await this.#exit(failed);
  }

  async #exit(code: number): Promise<void> {
    await this.#outputs.flush();
    process.exit(code);
  }
}

/** Whether the error's message alone says what to do. */
function isForPeople(error: unknown): error is Error {
  if (error instanceof PortError || error instanceof ConfigError || error instanceof WrongMasterKeyError) return true;
  return error instanceof ListenError || error instanceof DeniedError;
}
