// Finds the deliveries that match filters, newest event first: an index finds candidates, and all filters are applied
// to each.
import { deliveryStates, eventOrder, orderOfTime } from '../../../../domain/views/index.ts';
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { MergedRanges, orderEnd, orderPosition } from '../lists/merged-ranges.ts';
import type { RangeOptions } from '../lists/merged-ranges.ts';
import { PageBytes } from '../lists/page-bytes.ts';
import type { PagedList, PageQuery } from '../lists/paged-list.ts';
import type { DeliveriesDto } from './deliveries.dto.ts';

export type DeliveryFilters = Omit<DeliveriesDto, 'fields' | 'limit' | 'after' | 'before'>;

/**
 * The most documents that are examined for one page: then it ends, even with fewer records than its limit.
 */
const examinedMax = 1_000;
/** How many of them are read at a time: each can hold a MiB of answers. */
const documentsPerRead = 20;

export class DeliverySearch implements PagedList {
  readonly #workspace: string;
  readonly #filters: DeliveryFilters;
  /** One range for each state. */
  readonly #ranges: MergedRanges;
  /** The text that is searched for, in lower case; empty: none. */
  readonly #text: string;
  #lastExamined: ViewDocument | undefined;
  #isTruncated = false;

  constructor(build: ViewBuild, workspace: string, filters: DeliveryFilters) {
    this.#workspace = workspace;
    this.#filters = filters;
    this.#text = filters.q?.trim().toLowerCase() ?? '';
    const states = filters.state ? [filters.state] : deliveryStates;
    const [index, key] = indexOf(workspace, filters);
    const groups = states.map((state) => ({ index, equals: [key, state] }));
    this.#ranges = new MergedRanges(build, { view: 'deliveries', groups, ...rangeOf(filters) });
  }

  /** The last examined document, if there might be more after it; undefined: the page is complete. */
  get lastExamined(): ViewDocument | undefined {
    return this.#lastExamined;
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Must be called only once. */
  async find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const page = new PageBytes();
    const found: ViewDocument[] = [];
    let begin = after === undefined ? {} : { after };
    for (let examined = 0; examined < examinedMax;) {
      const readLimit = this.#isIndexed ? page.nextReadLimit(limit - found.length) : documentsPerRead;
      const chunk = await this.#ranges.find({ order, limit: readLimit, ...begin });
      // All documents under one id belong to the same workspace.
      if (chunk.some(({ value }) => value['workspace'] !== this.#workspace)) return [];
      for (const document of chunk) {
        if (!this.#matches(document.value as DeliveryView)) continue;
        page.add(document.value);
        found.push(document);
        if (found.length >= limit) return found;
        this.#isTruncated = page.isFull;
        if (page.isFull) return found;
      }
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < readLimit) return found;
      begin = { after: orderPosition(last) };
      examined += chunk.length;
      this.#lastExamined = examined < examinedMax ? undefined : last;
      // Lets other requests proceed: a delivery can hold a MiB of answers.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  /** With filters without an index, an upper bound: the number of candidates. */
  async count(): Promise<number> {
    const [newest] = await this.#ranges.find({ order: 'descending', limit: 1 });
    return newest?.value['workspace'] === this.#workspace ? this.#ranges.count() : 0;
  }

  get #isIndexed(): boolean {
    const { subscription_id, webhook_id, source_id, status } = this.#filters;
    return !isGiven(status) && this.#text === '' && [subscription_id, webhook_id, source_id].filter(isGiven).length < 2;
  }

  #matches(delivery: DeliveryView): boolean {
    const { subscriptionId, webhookId, emitterId, attempts } = delivery;
    const { subscription_id, webhook_id, source_id, status } = this.#filters;
    if (isGiven(subscription_id) && subscription_id !== subscriptionId) return false;
    if (isGiven(webhook_id) && webhook_id !== webhookId) return false;
    if (isGiven(source_id) && source_id !== emitterId) return false;
    if (isGiven(status) && status !== lastStatus(attempts)) return false;
    return this.#text === '' || textsOf(delivery).some((text) => text?.toLowerCase().includes(this.#text));
  }
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

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
function indexOf(workspace: string, filters: DeliveryFilters): readonly [index: string, of: string] {
  if (filters.subscription_id) return ['bySubscription', filters.subscription_id];
  if (filters.webhook_id) return ['byWebhook', filters.webhook_id];
  if (filters.source_id) return ['bySource', filters.source_id];
  return ['byWorkspace', workspace];
}

/** A range of orders, `to` exclusive. */
function rangeOf({ event_id: eventId, from, to }: DeliveryFilters): Pick<RangeOptions, 'from' | 'to'> {
  const froms = [isGiven(from) ? orderOfTime(from) : undefined, isGiven(eventId) ? eventOrder(eventId) : undefined];
  const tos = [
    isGiven(to) ? orderOfTime(to) : undefined,
    isGiven(eventId) ? `${eventOrder(eventId)}${orderEnd}` : undefined,
  ];
  return { from: froms.filter(isGiven).toSorted().at(-1), to: tos.filter(isGiven).toSorted()[0] };
}
