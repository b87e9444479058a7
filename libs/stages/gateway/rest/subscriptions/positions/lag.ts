// Counts the listed events that a subscription has not begun to deliver, and how long the oldest has waited.
import { eventOrder, timeOfEvent } from '../../../../../domain/channel/event-id.ts';
import { logsChannel } from '../../../../../domain/run/logs-report.ts';
import type { Millis } from '../../../../../domain/message.ts';
import { orderOfTime, type EventView } from '../../../../../domain/views/events.view.ts';
import type { PositionView, SubscriptionView } from '../../../../../domain/views/index.ts';
import { rangeCountMax } from '../../../../../view-store/catalog.ts';
import type { ViewBuild } from '../../../../../view-store/view-store.ts';
import type { LagRecord } from './subscription-detail.dto.ts';

/** Events counted for one answer: each is a step through an index. */
const eventsCountedMax = 2 * rangeCountMax;

export class LagReader {
  readonly #views: ViewBuild;
  readonly #subscription: SubscriptionView;
  readonly #now: Millis;
  #countedEvents = 0;

  constructor(views: ViewBuild, subscription: SubscriptionView, now: Millis) {
    this.#views = views;
    this.#subscription = subscription;
    this.#now = now;
  }

  /** Null: not known, or the bound was reached with other positions. */
  async read(position: PositionView, isBlocked: boolean): Promise<LagRecord | null> {
    const from = this.#orderAfter(position);
    if (from === undefined || this.#countedEvents >= eventsCountedMax) return null;
    const list = this.#listOf(position.emitterId);
    const events = await this.#views.count('events', { ...list, from });
    this.#countedEvents += events;
    const waitsSince = isBlocked && position.eventId !== null ? timeOfEvent(position.eventId) : undefined;
    const since = waitsSince ?? (events === 0 ? this.#now : await this.#timeOfFirstAfter(list, from));
    return {
      events,
      capped: events >= rangeCountMax,
      seconds: Math.max(0, Math.round((this.#now - since) / 100) / 10),
    };
  }

  /** The order just before every later event; undefined: not known. Events of `$logs` are not listed. */
  #orderAfter({ eventId, counters }: PositionView): string | undefined {
    const { eventName, createdAt } = this.#subscription;
    if (eventName === logsChannel) return undefined;
    if (eventId !== null) return `${eventOrder(eventId)}~`;
    return counters.published === 0 ? orderOfTime(createdAt) : undefined;
  }

  #listOf(emitterId: string) {
    const { eventName } = this.#subscription;
    return eventName === null
      ? { index: 'byEmitter', equals: [emitterId] }
      : { index: 'byChannel', equals: [emitterId, eventName] };
  }

  async #timeOfFirstAfter(list: { readonly index: string; readonly equals: string[] }, from: string): Promise<Millis> {
    const [first] = await this.#views.find('events', {
      ...list,
      order: 'ascending',
      limit: 1,
      after: { sort: from, id: '' },
    });
    return first === undefined ? this.#now : timeOfEvent((first.value as EventView).eventId);
  }
}
