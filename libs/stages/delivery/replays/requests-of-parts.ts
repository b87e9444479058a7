// Divides a request for a replay of every source among the partitions.
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import { partsOf } from '../../../domain/delivery/replay/parts.ts';
import { derivedId } from '../../../domain/id.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { OutgoingOn } from '../../../log/log.ts';

export function requestsOfParts(request: RecordOn<'requests'>, partitions: number): readonly OutgoingOn<'requests'>[] {
  const { id, type, data, key, at, workspace, correlationId } = request;
  const envelope = { key, at, workspace, correlationId, causationId: id };
  return partsOf(partitions).map((part) => {
    const message = { type, data: { ...data, part } } as Pick<DeliveryRequest, 'type' | 'data'>;
    const record = { ...envelope, ...message, id: derivedId('req', id, part.partition), version: versionOf(message) };
    return { topic: 'requests', partition: part.partition, record: record as OutgoingOn<'requests'>['record'] };
  });
}
