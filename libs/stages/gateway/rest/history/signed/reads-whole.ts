// Who may read records as they stand on the log: they hold more than the resources of the API show.
import type { ApiKey } from '../../../control/api-keys.ts';
import { forbidden } from '../../../http/api-problem.ts';

/** Throws ApiProblem 403 for a key that may do nothing but read what the API shows. */
export function checkReadsWhole({ scopes }: ApiKey): void {
  if (scopes.some((scope) => scope !== 'read')) return;
  throw forbidden(
    'Records as they stand on the log are not shown to API keys with the scope read alone: use another one.',
  );
}
