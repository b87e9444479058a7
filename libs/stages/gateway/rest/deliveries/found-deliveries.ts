// The deliveries that filters choose, newest event first: an index finds them, and what no index tells is looked at.
import { deliveryStates, eventOrder, orderOfTime } from '../../../../domain/views/index.ts';
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewCount, ViewDocument } from '../../../../view-store/view-store.ts';
import type { Listed, PageQuery, Place } from '../lists/page-reader.ts';
import type { DeliveriesDto } from './deliveries.dto.ts';

export type AskedDeliveries = Omit<DeliveriesDto, 'fields' | 'limit' | 'after' | 'before'>;

/**
 * The most documents that are examined for one page. Then the page ends, even if it has fewer records than its limit.
 */
const lookedAtMax = 1_000;
/** Documents read at a time: they are read on the thread that answers requests. */
const chunkMax = 50;

/** Greater than the order of every event. */
const orderEnd = '~';

export class FoundDeliveries implements Listed {
  readonly #build: ViewBuild;
  readonly #workspace: string;
  readonly #asked: AskedDeliveries;
  readonly #parts: readonly ViewCount[];
  readonly #from: string;
  readonly #to: string;
  /** What is looked for, in lower case; empty: nothing. */
  readonly #text: string;
  #lookedUpTo: ViewDocument | undefined;

  constructor(build: ViewBuild, workspace: string, asked: AskedDeliveries) {
    this.#build = build;
    this.#workspace = workspace;
    this.#asked = asked;
    const { from, to } = rangeOf(asked);
    this.#from = from ?? '';
    this.#to = to ?? orderEnd;
    this.#text = asked.q?.trim().toLowerCase() ?? '';
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const states = asked.state ? [asked.state] : deliveryStates;
    const [index, of] = indexOf(workspace, asked);
    this.#parts = states.map((state) => ({ index, equals: [of, state], ...range }));
  }

  /** The last document that was looked at, when there may be more behind it; undefined: the page is whole. */
  get lookedUpTo(): ViewDocument | undefined {
    return this.#lookedUpTo;
  }

  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const found: ViewDocument[] = [];
    let place = this.#begin(query);
    for (let lookedAt = 0; lookedAt < lookedAtMax;) {
      const limit = this.#isIndexed ? query.limit : chunkMax;
      const chunk = await this.#merged({ order: query.order, limit, after: place });
      // All that an index finds by an id belongs to one workspace.
      if (chunk.some(({ value }) => value['workspace'] !== this.#workspace)) return [];
      for (const document of chunk) if (this.#chooses(document.value as DeliveryView)) found.push(document);
      if (found.length >= query.limit || chunk.length < limit) return found.slice(0, query.limit);
      const last = chunk.at(-1);
      if (last === undefined) return found;
      place = placeOf(last);
      lookedAt += chunk.length;
      this.#lookedUpTo = lookedAt < lookedAtMax ? undefined : last;
      // Lets other requests in: a delivery may hold a MiB of answers.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  /** With filters for which there is no index, an upper bound: the number of documents that are examined. */
  async count(): Promise<number> {
    const one = await this.#merged({ order: 'descending', limit: 1, after: { sort: this.#to, id: '' } });
    if (one[0]?.value['workspace'] !== this.#workspace) return 0;
    const counts = await Promise.all(this.#parts.map((part) => this.#build.count('deliveries', part)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  get #isIndexed(): boolean {
    const { subscription_id, webhook_id, source_id, status } = this.#asked;
    return !given(status) && this.#text === '' && [subscription_id, webhook_id, source_id].filter(given).length < 2;
  }

  #chooses(delivery: DeliveryView): boolean {
    const { subscriptionId, webhookId, emitterId, attempts } = delivery;
    const { subscription_id, webhook_id, source_id, status } = this.#asked;
    if (given(subscription_id) && subscription_id !== subscriptionId) return false;
    if (given(webhook_id) && webhook_id !== webhookId) return false;
    if (given(source_id) && source_id !== emitterId) return false;
    if (given(status) && status !== lastStatus(attempts)) return false;
    return this.#text === '' || textsOf(delivery).some((text) => text?.toLowerCase().includes(this.#text));
  }

  /** Each index range has one state: a list merges a few of them in order. */
  async #merged({ order, limit, after }: Required<PageQuery>): Promise<readonly ViewDocument[]> {
    const each = this.#parts.map(({ index, equals }) =>
      this.#build.find('deliveries', { index, equals, order, limit, after }),
    );
    const sign = order === 'ascending' ? 1 : -1;
    return (await Promise.all(each))
      .flat()
      .filter((one) => orderOf(one) >= this.#from && orderOf(one) < this.#to)
      .sort((a, b) => sign * compare(a, b))
      .slice(0, limit);
  }

  /** The nearer of the cursor and the end of the range. The empty id comes before every real one. */
  #begin({ order, after }: PageQuery): Place {
    const isNewestFirst = order === 'descending';
    const end = { sort: isNewestFirst ? this.#to : this.#from, id: '' };
    if (after === undefined) return end;
    const isWithin = isNewestFirst ? after.sort < end.sort : after.sort >= end.sort;
    return isWithin ? after : end;
  }
}

const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

const orderOf = ({ value }: ViewDocument): string => (value as DeliveryView).order;

const placeOf = (document: ViewDocument): Place => ({ sort: orderOf(document), id: document.id });

function compare(a: ViewDocument, b: ViewDocument): number {
  const [first, second] = [orderOf(a), orderOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

const lastStatus = (attempts: DeliveryView['attempts']): number | undefined => {
  const last = attempts.at(-1);
  return last === undefined ? undefined : (last.status ?? 0);
};

function textsOf(delivery: DeliveryView): readonly (string | null | undefined)[] {
  const { subscriptionId, webhookId, emitterId, eventId, webhookMessageId, channel, attempts } = delivery;
  const last = attempts.at(-1);
  return [
    subscriptionId,
    webhookId,
    emitterId,
    eventId,
    webhookMessageId,
    channel,
    last?.failure,
    last?.message,
    last?.answer,
  ];
}

/** The index of the narrowest id that is given. */
function indexOf(workspace: string, asked: AskedDeliveries): readonly [index: string, of: string] {
  if (asked.subscription_id) return ['bySubscription', asked.subscription_id];
  if (asked.webhook_id) return ['byWebhook', asked.webhook_id];
  if (asked.source_id) return ['bySource', asked.source_id];
  return ['byWorkspace', workspace];
}

/** Orders, the end exclusive. */
function rangeOf({ event_id: eventId, from, to }: AskedDeliveries): { from?: string; to?: string } {
  const froms = [given(from) ? orderOfTime(from) : undefined, given(eventId) ? eventOrder(eventId) : undefined];
  const tos = [
    given(to) ? orderOfTime(to) : undefined,
    given(eventId) ? `${eventOrder(eventId)}${orderEnd}` : undefined,
  ];
  const [lowest] = froms.filter(given).toSorted().toReversed();
  const [highest] = tos.filter(given).toSorted();
  return { ...(lowest === undefined ? {} : { from: lowest }), ...(highest === undefined ? {} : { to: highest }) };
}
