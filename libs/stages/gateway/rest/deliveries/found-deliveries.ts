// Finds the deliveries that match filters, newest event first: an index finds candidates, and all filters are applied
// to each.
import { deliveryStates, eventOrder, orderOfTime } from '../../../../domain/views/index.ts';
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { MergedRanges, orderEnd, orderPlace } from '../lists/merged-ranges.ts';
import type { Ranges } from '../lists/merged-ranges.ts';
import { PageBytes } from '../lists/page-bytes.ts';
import type { Listed, PageQuery } from '../lists/listed.ts';
import type { DeliveriesDto } from './deliveries.dto.ts';

export type AskedDeliveries = Omit<DeliveriesDto, 'fields' | 'limit' | 'after' | 'before'>;

/**
 * The most documents that are examined for one page: then it ends, even with fewer records than its limit.
 */
const lookedAtMax = 1_000;
/** How many of them are read at a time: each can hold a MiB of answers. */
const lookedAtOnce = 20;

export class FoundDeliveries implements Listed {
  readonly #workspace: string;
  readonly #asked: AskedDeliveries;
  /** One range for each state. */
  readonly #ranges: MergedRanges;
  /** The text that is searched for, in lower case; empty: none. */
  readonly #text: string;
  #lookedUpTo: ViewDocument | undefined;
  #isCut = false;

  constructor(build: ViewBuild, workspace: string, asked: AskedDeliveries) {
    this.#workspace = workspace;
    this.#asked = asked;
    this.#text = asked.q?.trim().toLowerCase() ?? '';
    const states = asked.state ? [asked.state] : deliveryStates;
    const [index, of] = indexOf(workspace, asked);
    const groups = states.map((state) => ({ index, equals: [of, state] }));
    this.#ranges = new MergedRanges(build, { view: 'deliveries', groups, ...rangeOf(asked) });
  }

  /** The last examined document, if there might be more after it; undefined: the page is complete. */
  get lookedUpTo(): ViewDocument | undefined {
    return this.#lookedUpTo;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Must be called only once. */
  async find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const page = new PageBytes();
    const found: ViewDocument[] = [];
    let begin = after === undefined ? {} : { after };
    for (let lookedAt = 0; lookedAt < lookedAtMax;) {
      const atOnce = this.#isIndexed ? page.next(limit - found.length) : lookedAtOnce;
      const chunk = await this.#ranges.find({ order, limit: atOnce, ...begin });
      // All documents under one id belong to the same workspace.
      if (chunk.some(({ value }) => value['workspace'] !== this.#workspace)) return [];
      for (const document of chunk) {
        if (!this.#chooses(document.value as DeliveryView)) continue;
        page.add(document.value);
        found.push(document);
        if (found.length >= limit) return found;
        this.#isCut = page.isFull;
        if (page.isFull) return found;
      }
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < atOnce) return found;
      begin = { after: orderPlace(last) };
      lookedAt += chunk.length;
      this.#lookedUpTo = lookedAt < lookedAtMax ? undefined : last;
      // Lets other requests proceed: a delivery can hold a MiB of answers.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  /** With filters without an index, an upper bound: the number of candidates. */
  async count(): Promise<number> {
    const [one] = await this.#ranges.find({ order: 'descending', limit: 1 });
    return one?.value['workspace'] === this.#workspace ? this.#ranges.count() : 0;
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
}

const given = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

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

/** The index of the most specific id of the request. */
function indexOf(workspace: string, asked: AskedDeliveries): readonly [index: string, of: string] {
  if (asked.subscription_id) return ['bySubscription', asked.subscription_id];
  if (asked.webhook_id) return ['byWebhook', asked.webhook_id];
  if (asked.source_id) return ['bySource', asked.source_id];
  return ['byWorkspace', workspace];
}

/** A range of orders, `to` exclusive. */
function rangeOf({ event_id: eventId, from, to }: AskedDeliveries): Pick<Ranges, 'from' | 'to'> {
  const froms = [given(from) ? orderOfTime(from) : undefined, given(eventId) ? eventOrder(eventId) : undefined];
  const tos = [
    given(to) ? orderOfTime(to) : undefined,
    given(eventId) ? `${eventOrder(eventId)}${orderEnd}` : undefined,
  ];
  return { from: froms.filter(given).toSorted().at(-1), to: tos.filter(given).toSorted()[0] };
}
