// A run's event on its way to the log. Those of a large output are created when they are encoded, in short pieces.
import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import type { EventList } from '../../../domain/run/run-output.ts';
import type { OutgoingOn } from '../../../log/index.ts';

/** Up to this many events are created at once; creating them later would cost a little more. */
const atOnceMax = 64;

/** The events are final: their data came out of a sandbox, and nothing else has a reference to it. */
export const eventsOutgoing = (events: EventList, partition: number): readonly OutgoingOn<'channels'>[] =>
  Array.from({ length: events.length }, (_, index) =>
    events.length > atOnceMax
      ? new EventOutgoing(events, index, partition)
      : { topic: 'channels', partition, isFinal: true, record: events.at(index) },
  );

class EventOutgoing implements OutgoingOn<'channels'> {
  readonly topic = 'channels';
  readonly isFinal = true;
  readonly partition: number;
  readonly #events: EventList;
  readonly #index: number;
  #record: EmittedEvent | undefined;

  constructor(events: EventList, index: number, partition: number) {
    this.#events = events;
    this.#index = index;
    this.partition = partition;
  }

  get record(): EmittedEvent {
    return (this.#record ??= this.#events.at(this.#index));
  }
}
