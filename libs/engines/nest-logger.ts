// Writes Nest's messages to the process's log: start-up messages at debug, warnings and errors at their own level.
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

export class NestLogger implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger.child({ from: 'nest' });
  }

  log(message: unknown): void {
    this.#logger.debug(String(message));
  }

  debug(message: unknown): void {
    this.#logger.debug(String(message));
  }

  verbose(message: unknown): void {
    this.#logger.trace(String(message));
  }

  warn(message: unknown): void {
    this.#logger.warn(String(message));
  }

  error(message: unknown, stack?: unknown): void {
    this.#logger.error({ stack }, String(message));
  }

  fatal(message: unknown, stack?: unknown): void {
    this.#logger.fatal({ stack }, String(message));
  }
}
