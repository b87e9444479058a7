// Formats log lines: JSON for a program, a short line for a person at a terminal.
import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type * as PinoPretty from 'pino-pretty';

const require = createRequire(import.meta.url);

export interface LineWriter {
  write(line: string): void;
}

export const isTerminal = (): boolean => isatty(1);

/** `line` is pino's, with its line end. */
export type Format = (line: string) => string;

export const asJson: Format = (line) => line;

/** Formats time, level, message and fields; for an error the stack. */
export function asReadable(colorize: boolean): Format {
  // Loaded only for a terminal: a service under a supervisor starts without it.
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  return prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid' });
}

export const formatLines = (out: LineWriter, format: Format): LineWriter => ({
  write: (line) => out.write(format(line)),
});
