// Decides whether a record has expired, by the same time as the document that is made from it.
import { eventOrder } from '../../channel/event-id.ts';
import type { ExpiringTopic } from '../../flow.ts';
import type { LogRecord } from '../../message.ts';
import { isUsable } from '../../record/check-record.ts';
import { orderOfTime } from '../events.view.ts';
import type { RetentionMoved } from '../../retention/messages.ts';

/** For any record on the topic. An unusable record goes by its own time, or is expired if it has none. */
export function isExpiredRecord(
  topic: ExpiringTopic,
  record: LogRecord,
  { before, hooksBefore }: RetentionMoved,
): boolean {
  switch (topic) {
    case 'channels':
      if (!isUsable(topic, record)) break;
      if (record.type !== 'EventEmitted') return record.at < before;
      return eventOrder(record.data.eventId) < orderOfTime(before);
    case 'deliveries':
      if (!isUsable(topic, record)) break;
      // Counts go by the time of the attempt, which is after its event, so they are kept as long as the attempt.
      if (record.at >= before || record.type === 'EventsFiltered') return record.at < before;
      return eventOrder(record.data.eventId) < orderOfTime(before);
    case 'runs':
      if (!isUsable(topic, record)) break;
      return record.data.startedAt < before;
    case 'triggers':
    case 'requests':
      if (!isUsable(topic, record)) break;
      return record.at < before;
    case 'hooks':
      if (!isUsable(topic, record)) break;
      return record.at < hooksBefore;
    default:
      topic satisfies never;
  }
  return !(record.at >= Math.min(before, hooksBefore));
}
