// Ends the process after a signal or a failure: once, in limited time, and with a report of the outcome.
import type { Logger } from 'pino';
import { PortError } from '../../domain/port-error.ts';
import { WrongMasterKeyError } from '../../domain/workspace/keyring.ts';
import { ConfigError } from '../config/settings.ts';
import { ListenError } from '../listen-error.ts';
import type { Outputs } from '../output/outputs.ts';
import { DeniedError } from './denied-error.ts';

/** Ctrl-C must end the process within 5 s, even if a stage hangs or the output is not read. */
const closeMaxMs = 4_200;
/** SIGHUP is sent when the terminal is closed. */
const shutdownSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The only way out: closes once, in limited time, and sets the exit code accordingly. */
export class Shutdown {
  readonly #logger: Logger;
  readonly #outputs: Outputs;
  #close: () => Promise<void> = () => Promise.resolve();
  #hasBegun = false;

  constructor(logger: Logger, outputs: Outputs) {
    this.#logger = logger;
    this.#outputs = outputs;
    for (const signal of shutdownSignals) process.on(signal, () => this.#handleSignal(signal));
    process.on('disconnect', () => this.#handleSignal('the end of the parent process'));
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
  }

  setClose(close: () => Promise<void>): void {
    this.#close = close;
  }

  /** Ends the process because of an error; failures during shutdown result from it, and are reported as such. */
  fatal(error: unknown): void {
    if (this.#hasBegun) {
      this.#logger.debug({ err: error }, 'failed while ending');
      return;
    }
    if (isSelfExplanatory(error)) this.#outputs.stderr.write(`${error.message}\n`);
    else this.#logger.fatal({ err: error }, 'cannot continue');
    void this.#shutDown(1);
  }

  #handleSignal(signal: string): void {
    this.#logger.info({ signal }, 'stopping');
    void this.#shutDown(0);
  }

  async #shutDown(code: number): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const timer = setTimeout(() => {
      this.#logger.error({ closeMaxMs }, 'what runs did not end in time: it is repeated at the next start');
      void this.#exit(1);
    }, closeMaxMs);
    let exitCode = code;
    try {
      await this.#close();
      this.#logger.info('stopped');
    } catch (error) {
      this.#logger.error({ err: error }, 'closing failed');
      exitCode = 1;
    }
    clearTimeout(timer);
    await this.#exit(exitCode);
  }

  async #exit(code: number): Promise<void> {
    await this.#outputs.flush();
    process.exit(code);
  }
}

/** Whether the error's message alone says what to do. */
function isSelfExplanatory(error: unknown): error is Error {
  if (error instanceof PortError || error instanceof ConfigError || error instanceof WrongMasterKeyError) return true;
  return error instanceof ListenError || error instanceof DeniedError;
}
