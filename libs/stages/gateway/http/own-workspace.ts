// Rejects requests that name another workspace than the caller's.
import type { Caller } from '../control/api-keys.ts';
import { notFound } from './api-problem.ts';

interface Named {
  readonly org_id?: string | null;
  readonly workspace_id?: string | null;
}

/** Throws ApiProblem 404: for a caller only their own workspace exists. */
export function checkWorkspace({ workspace }: Caller, { org_id, workspace_id }: Named): void {
  for (const asked of [org_id, workspace_id]) {
    if (asked !== undefined && asked !== null && asked !== workspace) throw notFound({ record: 'workspace' });
  }
}
