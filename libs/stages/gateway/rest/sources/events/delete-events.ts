// Deletes events of a source: accepted once the request is on the log, carried out before any waiting run.
import type { DeletionRequest } from '../../../../../domain/channel/messages.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { checkOwner } from '../source-owner.ts';
import type { DeleteEventsDto, EventDeletionRecord } from './delete-events.dto.ts';
import { requestRecord } from '../../../commands/request-record.ts';

/** Works for a deleted source, too, while some of its history is left. Throws ApiProblem or PortError. */
export async function deleteEvents(
  parts: Parts<'views' | 'log' | 'ambient'>,
  caller: Caller,
  sourceId: string,
  input: DeleteEventsDto,
): Promise<EventDeletionRecord> {
  await checkOwner(parts, caller, sourceId);
  const { start_id: startId, end_id: endId, event_name: channel } = input;
  const { ambient, log } = parts;
  const data = { sourceId, channel: channel ?? null, startId: startId ?? null, endId: endId ?? null };
  const request = { type: 'EventDeletionRequested', data } as const;
  const record: DeletionRequest = requestRecord(ambient, caller, { key: sourceId, ...request });
  await log.request({ topic: 'triggers', partition: partitionOf(sourceId, log.partitions), record });
  return { start_id: data.startId, end_id: data.endId, event_name: data.channel };
}
