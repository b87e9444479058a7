// Reports an uncaught error as a console line; it never ends the process.
import { writeLine } from './calls.ts';
import { stringIncludes } from './primordials.ts';
import { describeError } from './describe-error.ts';

export function reportUncaught(error: unknown): void {
  const { name, message, stack } = describeError(error);
  const summary = `${name}: ${message}`;
  // A stack contains the error's original message, which the component may have changed since.
  const text = stringIncludes(stack, message) ? stack || summary : `${summary}\n${stack}`;
  writeLine('error', `Uncaught ${text}`);
}
