// Checks who owns a source, or owned it before it was deleted.
import type { EventView, RunView, SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { notFound } from '../../http/api-problem.ts';
import type { Parts } from '../../parts/parts.ts';
import { checkId, findOwned } from '../owned-documents.ts';

/** Throws ApiProblem 404. */
export async function checkOwner(parts: Parts<'views'>, caller: Caller, sourceId: string): Promise<void> {
  checkId('dc', sourceId);
  if (!(await isOwner(parts, caller, sourceId))) throw notFound();
}

/** The history of a deleted source is kept, and shows who owned it. */
export async function isOwner(parts: Parts<'views'>, caller: Caller, sourceId: string): Promise<boolean> {
  if ((await findOwned<SourceView>(parts, caller, 'sources', sourceId)) !== undefined) return true;
  const newestFirst = { order: 'descending', limit: 1 } as const;
  const [run] = await parts.views().find('runs', { index: 'byPlace', equals: [sourceId], ...newestFirst });
  const eventsQuery = { index: 'byEmitter', equals: [sourceId], ...newestFirst };
  const newestRecord = run ?? (await parts.views().find('events', eventsQuery))[0];
  return (newestRecord?.value as RunView | EventView | undefined)?.workspace === caller.workspace;
}
