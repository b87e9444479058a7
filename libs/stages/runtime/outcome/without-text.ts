// Removes the text from the outcome of a run whose request must not be kept: its end and its emits stay.
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';

const message = 'What it said is not kept: the request asked for that (x-pd-nostore).';

/** Error names of the language and the sandbox; any other name might contain text from the request. */
const knownName =
  /^(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI|Limit|Crash|Compile|Sandbox|EmitTooLarge|EmitTooDeep|DbFull)?Error$/;

/** The error and the hosts of requests might quote the request: only numbers and the error's place are kept. */
export function withoutText(outcome: InvocationOutcome): InvocationOutcome {
  const { error, requests } = outcome;
  const redacted = {
    ...outcome,
    console: [],
    ...(requests === undefined ? {} : { requests: { ...requests, list: [] } }),
  };
  if (error === undefined) return redacted;
  const { name, message: _message, stack: _stack, ...place } = error;
  return { ...redacted, error: { ...place, name: knownName.test(name) ? name : 'Error', message } };
}
