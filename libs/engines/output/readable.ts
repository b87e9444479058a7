// Log lines for whoever reads them: JSON for a program, a short line for somebody at a terminal.
import { isatty } from 'node:tty';
import { prettyFactory } from 'pino-pretty';

export interface Lines {
  write(line: string): void;
}

export const isTerminal = (): boolean => isatty(1);

/** `line` is one of pino's, with its end. */
export type Format = (line: string) => string;

export const asJson: Format = (line) => line;

/** Time, level, message, and what belongs to it; of an error the stack. */
export function asReadable(colorize: boolean): Format {
  return prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid' });
}

export const formatted = (out: Lines, format: Format): Lines => ({ write: (line) => out.write(format(line)) });
