// An error that nobody caught is a line of the console, never the end of the process.
import { writeLine } from './calls.ts';
import { stringIncludes } from './primordials.ts';
import { describeError } from './thrown.ts';

export function reportUncaught(error: unknown): void {
  const { name, message, stack } = describeError(error);
  const said = `${name}: ${message}`;
  // A stack has the message that the error was made with, which may have changed since.
  const text = stringIncludes(stack, message) ? stack || said : `${said}\n${stack}`;
  writeLine('error', `Uncaught ${text}`);
}
