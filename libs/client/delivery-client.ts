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

  /** Of one subscription. */
  deliveries(subscriptionId: string, query: SubscriptionDeliveriesRequest = {}): Promise<Page<Delivery>> {
    return this.#http.call({ method: 'GET', path: `subscriptions/${segment(subscriptionId)}/deliveries`, query });
  }

  /** With `q`, `status` or several ids a page may be short: then it has `searched_to_ms`, and `end_cursor` goes on. */
  findDeliveries(query: DeliveriesRequest = {}): Promise<Page<Delivery>> {
    return this.#http.call({ method: 'GET', path: 'deliveries', query });
  }

  async delivery(id: string): Promise<Delivery> {
    const path = `deliveries/${segment(id)}`;
    return (await this.#http.call<{ readonly data: Delivery }>({ method: 'GET', path })).data;
  }

  /** Tries one now that waits or is parked. Resolves with the delivery as it is a moment later. */
  retryDelivery(id: string): Promise<Delivery> {
    return this.#act(id, 'retry');
  }

  /** Discards one that waits, is parked or keeps others waiting. */
  discardDelivery(id: string): Promise<Delivery> {
    return this.#act(id, 'discard');
  }

  /** Discards a page of those that are parked of a subscription; resolves with the page as it is afterwards. */
  discardParked(subscriptionId: string, paging: Paging = {}): Promise<Page<Delivery>> {
    const path = `subscriptions/${segment(subscriptionId)}/discard_parked`;
    return this.#http.call<Page<Delivery>>({ method: 'POST', path, body: { ...paging } });
  }

  /** Sends a signed sample now, also to a webhook that is inactive. Resolves with the attempt, failed or not. */
  async testWebhook(id: string): Promise<Attempt> {
    const path = `webhooks/${segment(id)}/test`;
    return (await this.#http.call<{ readonly data: Attempt }>({ method: 'POST', path, body: {} })).data;
  }

  /** For each minute or hour, oldest first. */
  async stats(query: StatsRequest = {}): Promise<readonly Stats[]> {
    return (await this.#http.call<{ readonly data: readonly Stats[] }>({ method: 'GET', path: 'stats', query })).data;
  }

  /** How the receiver of a webhook has answered, for each minute or hour, oldest first. */
  async webhookStats(webhookId: string, query: StatsRequest = {}): Promise<readonly AttemptStats[]> {
    const path = `webhooks/${segment(webhookId)}/stats`;
    return (await this.#http.call<{ readonly data: readonly AttemptStats[] }>({ method: 'GET', path, query })).data;
  }

  /** How many events a subscription did not want, for each hour, oldest first. */
  async filtered(subscriptionId: string, query: Span = {}): Promise<readonly Filtered[]> {
    const path = `subscriptions/${segment(subscriptionId)}/filtered`;
    return (await this.#http.call<{ readonly data: readonly Filtered[] }>({ method: 'GET', path, query })).data;
  }

  async #act(id: string, act: 'retry' | 'discard'): Promise<Delivery> {
    const path = `deliveries/${segment(id)}/${act}`;
    return (await this.#http.call<{ readonly data: Delivery }>({ method: 'POST', path, body: {} })).data;
  }
}
