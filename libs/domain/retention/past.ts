// Whether a record is older than what is kept: by the same time as the document that is made from it.
import { eventOrder } from '../channel/event-id.ts';
import type { EmittedEvent, RunEvent } from '../channel/messages.ts';
import type { DeliveryEvent } from '../delivery/messages.ts';
import type { PassingTopic } from '../flow.ts';
import type { LogRecord } from '../message.ts';
import { verdictOn } from '../shape/verdict.ts';
import { orderOfTime } from '../views/events.view.ts';
import type { RetentionMoved } from './messages.ts';

/** Of any record that stands on the topic; one that nobody can use goes by its own time, or is past where it has none. */
export function isPast(topic: PassingTopic, record: LogRecord, { before, hooksBefore }: RetentionMoved): boolean {
  if (verdictOn(topic, record) !== undefined) return !(record.at >= Math.min(before, hooksBefore));
  switch (topic) {
    case 'channels':
      if (record.type === 'EventsDeleted') return record.at < before;
      return eventOrder((record as EmittedEvent).data.eventId) < orderOfTime(before);
    case 'deliveries':
      return eventOrder((record as DeliveryEvent).data.eventId) < orderOfTime(before);
    case 'runs':
      return (record as RunEvent).data.startedAt < before;
    case 'triggers':
      return record.at < before;
    case 'hooks':
      return record.at < hooksBefore;
  }
}
