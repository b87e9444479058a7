// Of a run whose request is not to be kept: that it was, how it ended and what it emitted, but no text of it.
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';

const message = 'What it said is not kept: the request asked for that (x-pd-nostore).';

/** An error may quote what it was about: its name and its place stay. */
export function withoutText(outcome: InvocationOutcome): InvocationOutcome {
  const { error } = outcome;
  if (error === undefined) return { ...outcome, console: [] };
  const { message: _message, stack: _stack, ...place } = error;
  return { ...outcome, console: [], error: { ...place, message } };
}
