// View `events`: the events of each source, newest first by event id, of all channels or of one.
import { orderRange } from '../deletion/order-range.ts';
import { eventOrder, timeOfOrder } from '../channel/event-id.ts';
import type { ChannelEvent, EmittedEvent } from '../channel/messages.ts';
import { logsChannel } from '../run/logs-report.ts';
import type { Json } from '../json.ts';
import type { Millis } from '../message.ts';
import { traceIdOf } from '../trace/traceparent.ts';
import type { Expiry, View, ViewValue } from './view.ts';

export type EventView = {
  readonly workspace: string;
  readonly emitterId: string;
  /** `<ms>-<seq>`, unique for the source. */
  readonly eventId: string;
  /** The source's id; on channels that begin with `$` followed by `/$`, so that lists of a source leave them out. */
  readonly listedUnder: string;
  /** `eventOrder(eventId)`, by which both indexes sort. */
  readonly order: string;
  readonly channel: string;
  readonly runId: string;
  /** Epoch ms. */
  readonly emittedAt: number;
  /** The metadata that the component passed to `$emit`, unchanged. */
  readonly emit: EmittedEvent['data']['emit'];
  readonly event: Json;
  readonly sample?: boolean;
  /** Absent in documents of earlier versions. */
  readonly traceId?: string;
};

/** Below the order of every event of this time or later, and above the order of every earlier event. */
export const orderOfTime = (at: Millis): string => eventOrder(String(Math.max(0, Math.floor(at))));

/** The time of an event, from its order. */
export const expiryByOrder: Expiry<ViewValue & { readonly order: string }> = {
  index: 'byTime',
  fieldValueAt: orderOfTime,
  valueOf: ({ order }) => order,
  timeOf: ({ order }) => timeOfOrder(order),
};

/** Document id of an event. */
export const eventKey = (emitterId: string, eventId: string): string => `${emitterId}/${eventId}`;

const sample: EventView = {
  workspace: 'o_0000000000000000',
  emitterId: 'dc_0000000000000000',
  eventId: '1700000000000-0',
  listedUnder: 'dc_0000000000000000',
  order: eventOrder('1700000000000-0'),
  channel: '',
  runId: 'run_',
  emittedAt: 1_700_000_000_000,
  // Whatever the component gives: any object is a value where an empty one was.
  emit: {},
  event: {},
  traceId: '',
};

const eventViewOf = ({ workspace, at, correlationId, data }: EmittedEvent): EventView => ({
  workspace,
  emitterId: data.emitterId,
  eventId: data.eventId,
  listedUnder: data.channel.startsWith('$') ? `${data.emitterId}/$` : data.emitterId,
  order: eventOrder(data.eventId),
  channel: data.channel,
  runId: data.runId,
  emittedAt: at,
  emit: data.emit,
  event: data.event,
  traceId: traceIdOf(correlationId),
  ...(data.sample === undefined ? {} : { sample: data.sample }),
});

/** Reports on `$logs` are not stored here: the view `runs` shows them. */
const isListed = (record: ChannelEvent): record is EmittedEvent =>
  record.type === 'EventEmitted' && record.data.channel !== logsChannel;

export const eventsView: View<'channels', EventView> = {
  definition: {
    name: 'events',
    sample: JSON.stringify(sample),
    indexes: { byEmitter: ['listedUnder', 'order'], byChannel: ['emitterId', 'channel', 'order'], byTime: ['order'] },
    unique: ['byEmitter', 'byChannel'],
    revision: 1,
  },
  topics: ['channels'],

  idOf: (record) => (isListed(record) ? eventKey(record.data.emitterId, record.data.eventId) : undefined),

  needsCurrent: () => false,

  evolve: (_current, record) => (isListed(record) ? eventViewOf(record) : undefined),

  /** In the same partition as the events before it. */
  removes(record) {
    if (record.type !== 'EventsDeleted') return undefined;
    const { emitterId, channel } = record.data;
    const list =
      channel === null
        ? { index: 'byEmitter', equals: [emitterId] }
        : { index: 'byChannel', equals: [emitterId, channel] };
    return { ...list, ...orderRange(record.data), isMany: true };
  },

  expiry: expiryByOrder,
};
