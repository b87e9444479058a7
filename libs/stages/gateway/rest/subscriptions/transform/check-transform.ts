// Accepts a transform only if delivery can compile it to a function.
import type { TransformError } from '../../../../../domain/delivery/transform/transform.ts';
import type { SubscriptionTriple } from '../../../../../domain/listener/messages.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { invalidRequest } from '../../../http/api-problem.ts';

type Of = Pick<SubscriptionTriple, 'emitterId'> & { readonly subscriptionId: string };

/** Throws ApiProblem 400 with the line and column of the fault, as far as they are known, or 503. */
export async function checkTransform(
  parts: Parts<'transforms'>,
  caller: Caller,
  { subscriptionId, emitterId }: Of,
  transform: string | null | undefined,
): Promise<void> {
  if (transform === null || transform === undefined) return;
  const tried = await parts.transforms.try({ caller, subscriptionId, emitterId, transform });
  if (tried.kind === 'failed') throw wrong(tried.error);
}

function wrong({ message, line, column }: TransformError): Error {
  const at = line === null ? '' : ` in line ${line}, column ${column ?? 1}`;
  const problem = { field: 'transform', message: `transform${at}: ${message}` };
  const place = { ...(line === null ? {} : { line }), ...(column === null ? {} : { column }) };
  return invalidRequest(`The transform is not accepted${at}: ${message}.`, { problems: [problem], ...place });
}
