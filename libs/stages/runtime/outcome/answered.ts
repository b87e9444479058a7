// Makes the end of a call that asked a component about a form.
import type { FormCallKind } from '../../../domain/call/call.ts';
import { readReturned } from '../../../domain/call/form.ts';
import type { Original } from '../../../domain/run/failed-run.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { PropProblem } from '../../../domain/component/props/prop-problem.ts';
import type { DescribeOutcome, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { ended, measured, notRun, refused } from './finished.ts';
import type { Begun, Finished } from './finished.ts';
import { invoked } from './invoked.ts';

/** The end of such a call after the component has answered or failed; its emits become no events. */
export function answered(begun: Begun, outcome: InvocationOutcome, kind: FormCallKind): Finished {
  const silent = { ...outcome, emits: [], emitsBytes: 0 };
  const end = (how: InvocationOutcome): Finished =>
    invoked(begun, how, { strategy: undefined, original: nothingGiven });
  if (outcome.end !== 'finished') return { ...end(silent), form: {} };
  const returned = readReturned(kind, outcome.emits[0]?.event);
  if (!('kind' in returned)) return { ...end({ ...silent, end: 'threw', error: returned }), form: {} };
  const finished = end(silent);
  return { ...finished, form: { returned }, heldBytes: finished.heldBytes + outcome.emitsBytes };
}

const nothingGiven = (): Original => {
  throw new Error('A call has no report');
};

/** The end of a call with wrong props: the component was not asked. */
export function propsRefused(begun: Begun, problems: readonly PropProblem[]): Finished {
  const message = problems
    .map((problem) => problem.message)
    .join(' ')
    .slice(0, problemsCharsMax);
  return { ...refused(begun, message, 'PropsInvalidError'), form: { problems: problems.slice(0, problemsMax) } };
}

/** The most problems that an answer names, and the most characters of its message. */
const problemsMax = 20;
const problemsCharsMax = 20_000;

/** The end of a call of a component that cannot be loaded. */
export function failedToDescribe(
  begun: Begun,
  { error, console }: Extract<DescribeOutcome, { kind: 'invalid' }>,
  durationMs: number,
): Finished {
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console, emits: [] };
  return { ...measured(begun, { ...notRun, end }, 0), form: {} };
}
