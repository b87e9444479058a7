// Of a run whose request is not to be kept: that it was, how it ended and what it emitted, but no text of it.
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';

const message = 'What it said is not kept: the request asked for that (x-pd-nostore).';

/** Those of the language and of the sandbox; a component may give an error any other name. */
const knownName =
  /^(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI|Limit|Crash|Compile|Sandbox|EmitTooLarge|EmitTooDeep|DbFull)?Error$/;

/** Hosts of its requests and an error may quote what it was about: how many and where stays. */
export function withoutText(outcome: InvocationOutcome): InvocationOutcome {
  const { error, requests } = outcome;
  const silent = {
    ...outcome,
    console: [],
    ...(requests === undefined ? {} : { requests: { ...requests, list: [] } }),
  };
  if (error === undefined) return silent;
  const { name, message: _message, stack: _stack, ...place } = error;
  return { ...silent, error: { ...place, name: knownName.test(name) ? name : 'Error', message } };
}
