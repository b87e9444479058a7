// Makes the end of a call that asked a component about a form.
import type { FormCallKind } from '../../../domain/call/call.ts';
import { readFormCallResult } from '../../../domain/call/form.ts';
import type { OriginalEvent } from '../../../domain/run/errors-report.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { PropProblem } from '../../../domain/component/props/prop-problem.ts';
import type { DescribeOutcome, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { outcomeOf, resultOf, notRunParts, refusedResult } from './trigger-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';
import { invocationResult } from './invocation-result.ts';

/** The end of such a call after the component has answered or failed; its emits become no events. */
export function formCallResult(attempt: Attempt, invocation: InvocationOutcome, kind: FormCallKind): TriggerResult {
  const withoutEmits = { ...invocation, emits: [], emitsBytes: 0 };
  const resultWith = (outcome: InvocationOutcome): TriggerResult =>
    invocationResult(attempt, outcome, { strategy: undefined, original: noOriginal });
  if (invocation.end !== 'finished') return { ...resultWith(withoutEmits), form: {} };
  const returned = readFormCallResult(kind, invocation.emits[0]?.event);
  if (!('kind' in returned)) return { ...resultWith({ ...withoutEmits, end: 'threw', error: returned }), form: {} };
  const result = resultWith(withoutEmits);
  return { ...result, form: { returned }, heldBytes: result.heldBytes + invocation.emitsBytes };
}

const noOriginal = (): OriginalEvent => {
  throw new Error('A call has no report');
};

/** The end of a call with wrong props: the component was not asked. */
export function propsRefusedResult(attempt: Attempt, problems: readonly PropProblem[]): TriggerResult {
  const message = problems
    .map((problem) => problem.message)
    .join(' ')
    .slice(0, problemsCharsMax);
  return {
    ...refusedResult(attempt, message, 'PropsInvalidError'),
    form: { problems: problems.slice(0, problemsMax) },
  };
}

/** The most problems that an answer names, and the most characters of its message. */
const problemsMax = 20;
const problemsCharsMax = 20_000;

/** The end of a call of a component that cannot be loaded. */
export function notLoadedResult(
  attempt: Attempt,
  { error, console }: Extract<DescribeOutcome, { kind: 'invalid' }>,
  durationMs: number,
): TriggerResult {
  const end: RunEnd = { ...outcomeOf(error), startedAt: attempt.startedAt, durationMs, console, emits: [] };
  return { ...resultOf(attempt, { ...notRunParts, end }, 0), form: {} };
}
