// The part of the client for deliveries, and for counts over time of deliveries, events and runs.
import { segment } from './http.ts';
import type { Http } from './http.ts';
import type { Attempt, AttemptStats, Delivery, Filtered, Stats } from './delivery-records.ts';
import type { Page } from './records.ts';
import type { DeliveriesRequest, Paging, Span, StatsRequest, SubscriptionDeliveriesRequest } from './requests.ts';

export class DeliveryClient {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Lists the deliveries of one subscription. */
  deliveries(subscriptionId: string, query: SubscriptionDeliveriesRequest = {}): Promise<Page<Delivery>> {
    return this.#http.call({ method: 'GET', path: `subscriptions/${segment(subscriptionId)}/deliveries`, query });
  }

  /**
   * With `q`, `status` or several ids a page can be short: then it has `searched_to_ms`, and `end_cursor` continues.
   */
  findDeliveries(query: DeliveriesRequest = {}): Promise<Page<Delivery>> {
    return this.#http.call({ method: 'GET', path: 'deliveries', query });
  }

  async delivery(id: string): Promise<Delivery> {
    const path = `deliveries/${segment(id)}`;
    return (await this.#http.call<{ readonly data: Delivery }>({ method: 'GET', path })).data;
  }

  /** Retries a waiting or parked delivery now. Resolves with the delivery a moment later. */
  retryDelivery(id: string): Promise<Delivery> {
    return this.#postAction(id, 'retry');
  }

  /** Discards a delivery that waits, is parked or blocks others. */
  discardDelivery(id: string): Promise<Delivery> {
    return this.#postAction(id, 'discard');
  }

  /** Discards a page of a subscription's parked deliveries; resolves with the page after that. */
  discardParked(subscriptionId: string, paging: Paging = {}): Promise<Page<Delivery>> {
    const path = `subscriptions/${segment(subscriptionId)}/discard_parked`;
    return this.#http.call<Page<Delivery>>({ method: 'POST', path, body: { ...paging } });
  }

  /** Sends a signed sample now, even to an inactive webhook. Resolves with the attempt, failed or not. */
  async testWebhook(id: string): Promise<Attempt> {
    const path = `webhooks/${segment(id)}/test`;
    return (await this.#http.call<{ readonly data: Attempt }>({ method: 'POST', path, body: {} })).data;
  }

  /** Returns counts for each minute or hour, oldest first. */
  async stats(query: StatsRequest = {}): Promise<readonly Stats[]> {
    return (await this.#http.call<{ readonly data: readonly Stats[] }>({ method: 'GET', path: 'stats', query })).data;
  }

  /** Returns the responses of a webhook's receiver, for each minute or hour, oldest first. */
  async webhookStats(webhookId: string, query: StatsRequest = {}): Promise<readonly AttemptStats[]> {
    const path = `webhooks/${segment(webhookId)}/stats`;
    return (await this.#http.call<{ readonly data: readonly AttemptStats[] }>({ method: 'GET', path, query })).data;
  }

  /** Returns how many events a subscription's filter excluded, for each hour, oldest first. */
  async filtered(subscriptionId: string, query: Span = {}): Promise<readonly Filtered[]> {
    const path = `subscriptions/${segment(subscriptionId)}/filtered`;
    return (await this.#http.call<{ readonly data: readonly Filtered[] }>({ method: 'GET', path, query })).data;
  }

  async #postAction(id: string, action: 'retry' | 'discard'): Promise<Delivery> {
    const path = `deliveries/${segment(id)}/${action}`;
    return (await this.#http.call<{ readonly data: Delivery }>({ method: 'POST', path, body: {} })).data;
  }
}
