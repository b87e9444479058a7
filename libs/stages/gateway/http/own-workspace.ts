// Rejects requests that name another workspace than the caller's.
import type { Caller } from '../control/api-keys.ts';
import { notFound } from './api-problem.ts';

interface NamedWorkspace {
  readonly org_id?: string | null;
  readonly workspace_id?: string | null;
}

/** Throws ApiProblem 404: for a caller only their own workspace exists. */
export function checkWorkspace({ workspace }: Caller, { org_id, workspace_id }: NamedWorkspace): void {
  for (const named of [org_id, workspace_id]) {
    if (named !== undefined && named !== null && named !== workspace) throw notFound({ record: 'workspace' });
  }
}
