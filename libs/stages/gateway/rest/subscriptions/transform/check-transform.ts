// Accepts a transform only if delivery can compile it to a function.
import type { TransformError } from '../../../../../domain/delivery/transform/transform.ts';
import type { SubscriptionTriple } from '../../../../../domain/listener/messages.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { invalidRequest } from '../../../http/api-problem.ts';

type TransformTarget = Pick<SubscriptionTriple, 'emitterId'> & { readonly subscriptionId: string };

/** Throws ApiProblem 400 with the line and column of the fault, as far as they are known, or 503. */
export async function checkTransform(
  parts: Parts<'transforms'>,
  caller: Caller,
  { subscriptionId, emitterId }: TransformTarget,
  transform: string | null | undefined,
): Promise<void> {
  if (transform === null || transform === undefined) return;
  const outcome = await parts.transforms.run({ caller, subscriptionId, emitterId, transform });
  if (outcome.kind === 'failed') throw transformProblem(outcome.error);
}

function transformProblem({ message, line, column }: TransformError): Error {
  const location = line === null ? '' : ` in line ${line}, column ${column ?? 1}`;
  const problem = { field: 'transform', message: `transform${location}: ${message}` };
  const locationDetails = { ...(line === null ? {} : { line }), ...(column === null ? {} : { column }) };
  return invalidRequest(`The transform is not accepted${location}: ${message}.`, {
    problems: [problem],
    ...locationDetails,
  });
}
