// Makes an event as the views show it, for tests that control what is shown and when.
import type { RecordOn } from '../../../domain/messages-of.ts';
import { samples } from '../../../domain/record/samples.fake.ts';
import { eventKey, views } from '../../../domain/views/index.ts';
import type { ViewWrite } from '../../../view-store/view-store.ts';

/** `offset`: the event's, in its partition. */
export function eventViewWrite(emitterId: string, eventId: string, offset: number): ViewWrite {
  const view = views.find(({ definition }) => definition.name === 'events');
  const data = { ...samples.channels.EventEmitted, emitterId, eventId, channel: '' };
  const record: RecordOn<'channels'> = {
    id: 'rec_1',
    type: 'EventEmitted',
    version: 1,
    key: emitterId,
    data,
    at: 1,
    workspace: 'o_1',
    correlationId: 'c',
    causationId: 'c',
    topic: 'channels',
    partition: 0,
    offset,
  };
  return { view: 'events', id: eventKey(emitterId, eventId), version: offset, value: view?.evolve(undefined, record) };
}
