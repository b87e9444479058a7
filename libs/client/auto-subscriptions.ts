// Creates, lists and deletes subscriptions to every source, `dc_*`, with `/v1/auto_subscriptions`.
import { segment } from './http.ts';
import type { Http } from './http.ts';
import type { Page, Subscription } from './records.ts';
import type { Paging, Repeatable, SubscriptionRequest } from './requests.ts';

export type AutoSubscriptionRequest = Omit<SubscriptionRequest, 'emitter_id'>;

const path = 'auto_subscriptions';

export class AutoSubscriptions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Returns the existing one if there is one with the same two values. */
  async create(body: AutoSubscriptionRequest, { idempotencyKey }: Repeatable = {}): Promise<Subscription> {
    const call = { method: 'POST', path, body, idempotencyKey } as const;
    const [subscription] = (await this.#http.call<{ readonly data: readonly Subscription[] }>(call)).data;
    if (subscription === undefined) throw new Error('the answer holds no subscription');
    return subscription;
  }

  list(query: Paging = {}): Promise<Page<Subscription>> {
    return this.#http.call({ method: 'GET', path, query });
  }

  /** By its id, or by the two values that it was created with. */
  async delete(idOrValues: string | AutoSubscriptionRequest): Promise<void> {
    const target =
      typeof idOrValues === 'string' ? { path: `${path}/${segment(idOrValues)}` } : { path, body: idOrValues };
    await this.#http.call({ method: 'DELETE', ...target });
  }
}
