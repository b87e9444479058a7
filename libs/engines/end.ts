// How a process ends: by a signal or a failure, once, within its time, and saying how it went.
import type { Logger } from 'pino';
import { PortError } from '../domain/port-error.ts';
import { WrongMasterKeyError } from '../domain/secrets/keyring.ts';
import { ListenError } from './boot.ts';
import { ConfigError } from './config/settings.ts';
import type { Outputs } from './output/outputs.ts';

/** Ctrl-C must be over in 5 s, however a stage hangs, and whoever reads what is printed. */
const closeMaxMs = 4_200;

/** The one way out: closes once, within its time, and says with the exit code how it went. */
export class End {
  readonly #logger: Logger;
  readonly #outputs: Outputs;
  #close: () => Promise<void> = () => Promise.resolve();
  #ending = false;

  constructor(logger: Logger, outputs: Outputs) {
    this.#logger = logger;
    this.#outputs = outputs;
    process.on('SIGINT', () => this.#signal('SIGINT'));
    process.on('SIGTERM', () => this.#signal('SIGTERM'));
    process.on('disconnect', () => this.#signal('the end of whoever started this'));
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
  }

  closeWith(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** What fails while everything ends follows from that, and is told as such. */
  fatal(error: unknown): void {
    if (this.#ending) {
      this.#logger.debug({ err: error }, 'failed while ending');
      return;
    }
    if (isForPeople(error)) this.#outputs.stderr.write(`${error.message}\n`);
    else this.#logger.fatal({ err: error }, 'cannot go on');
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

/** Their message says all that a person needs to do something about it. */
function isForPeople(error: unknown): error is Error {
  if (error instanceof PortError || error instanceof ConfigError || error instanceof WrongMasterKeyError) return true;
  return error instanceof ListenError;
}
