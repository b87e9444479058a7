// The problem of one parameter, as listed in the `details.problems` of a refusal.
import type { Json } from '../../../../domain/json.ts';
import { invalidRequest } from '../api-problem.ts';
import type { ApiProblem } from '../api-problem.ts';
import { shortName } from '../json/text-fault.ts';

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** More would bury the first ones, and let a small request cause a large answer. */
const problemsShownMax = 20;
export const problemOfField = (field: string, message: string): Json => ({
  problems: [{ field: shortName(field), message }],
});

/** `problems`: at least one. */
export function problemsOf(problems: readonly FieldProblem[]): ApiProblem {
  const shown = problems.slice(0, problemsShownMax);
  const more = problems.length - shown.length;
  const text = `${shown.map(({ message }) => message).join('; ')}.${more > 0 ? ` And ${more} more.` : ''}`;
  return invalidRequest(text, { problems: shown.map(({ field, message }) => ({ field, message })) });
}
