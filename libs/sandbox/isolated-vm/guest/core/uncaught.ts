// An error that nobody caught is a line of the console, never the end of the process.
import { writeLine } from './calls.ts';
import { describeError } from './thrown.ts';

export function reportUncaught(error: unknown): void {
  const { name, message, stack } = describeError(error);
  writeLine('error', `Uncaught ${stack || `${name}: ${message}`}`);
}
