// Publishes events to a source: checks the caller, reads the request, and makes the answer.
import { derivedId } from '../../../../../domain/id.ts';
import type { SourceView } from '../../../../../domain/views/index.ts';
import type { Channel } from '../../../control/registry/channels.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound } from '../../../http/api-problem.ts';
import { checkId, findOwned } from '../../owned-documents.ts';
import { readPublishedEvents } from './published-events.ts';
import type { PublishDto, PublishedRecord } from './publish.dto.ts';

export interface PublishTarget {
  readonly sourceId: string;
  readonly idempotencyKey: string | null;
}

/** Throws ApiProblem or PortError. */
export async function publishEvents(
  parts: Parts<'definitions' | 'views' | 'publishing'>,
  caller: Caller,
  { sourceId, idempotencyKey }: PublishTarget,
  input: PublishDto,
): Promise<readonly PublishedRecord[]> {
  const { workspace } = caller;
  const { active } = await channelOf(parts, caller, sourceId);
  if (!active)
    throw new ApiProblem(409, 'source_inactive', `Source ${sourceId} is inactive: nothing is published on it.`);
  const batch = readPublishedEvents(input);
  const repeatable = idempotencyKey === null ? {} : { requestKey: derivedId('req', workspace, idempotencyKey) };
  const { ids, duplicates } = await parts.publishing.publish({ sourceId, caller, ...batch, ...repeatable });
  const repeated = new Set(duplicates);
  return ids.map((id, index) => ({ id, duplicate: repeated.has(index) }));
}

async function channelOf(parts: Parts<'definitions' | 'views'>, caller: Caller, sourceId: string): Promise<Channel> {
  checkId('dc', sourceId);
  const channel = await parts.definitions.channelOf(sourceId);
  if (channel?.workspace === caller.workspace) return channel;
  const source = await findOwned<SourceView>(parts, caller, 'sources', sourceId);
  if (channel !== undefined || source === undefined || source.kind === 'channel') throw notFound();
  const message = `Source ${sourceId} runs a component, which emits its events. Only a source of kind channel is published to.`;
  throw new ApiProblem(409, 'not_a_channel', message);
}
