// The REST API as methods: each returns the record or page, or throws ApiError.
import { Http, segment } from './http.ts';
import type { ClientOptions } from './http.ts';
import type {
  AcceptedRun,
  Component,
  ComponentSummary,
  Delivery,
  EventSummary,
  Filter,
  NewSource,
  NewWebhook,
  Page,
  Preview,
  Run,
  Source,
  Subscription,
  SubscriptionDetail,
  User,
  Webhook,
} from './records.ts';
import type {
  ComponentsRequest,
  DeliveriesRequest,
  DeployRequest,
  EventsRequest,
  IgnoringHooks,
  NewSubscriptionRequest,
  NewWebhookRequest,
  Paging,
  PreviewRequest,
  Repeatable,
  DeleteEventsRequest,
  RunNowRequest,
  RunsRequest,
  SaveRequest,
  SubscriptionRequest,
  UpdateRequest,
} from './requests.ts';

interface Enveloped<T> {
  readonly data: T;
}

export class Client {
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

  me(): Promise<User> {
    return this.#one('users/me');
  }

  createWebhook(request: NewWebhookRequest, { idempotencyKey }: Repeatable = {}): Promise<NewWebhook> {
    return this.#post('webhooks', request, idempotencyKey);
  }

  webhooks(paging: Paging = {}): Promise<Page<Webhook>> {
    return this.#page('webhooks', paging);
  }

  webhook(id: string): Promise<Webhook> {
    return this.#one(`webhooks/${segment(id)}`);
  }

  deleteWebhook(id: string): Promise<void> {
    return this.#delete(`webhooks/${segment(id)}`);
  }

  /** Returns the existing subscription when the same three were subscribed before. */
  async createSubscription(
    request: NewSubscriptionRequest,
    { idempotencyKey }: Repeatable = {},
  ): Promise<Subscription> {
    const [subscription] = await this.#post<readonly Subscription[]>('subscriptions', request, idempotencyKey);
    if (subscription === undefined) throw new Error('the answer holds no subscription');
    return subscription;
  }

  subscriptions(paging: Paging = {}): Promise<Page<Subscription>> {
    return this.#page('subscriptions', paging);
  }

  /** With how far it is. */
  subscription(id: string): Promise<SubscriptionDetail> {
    return this.#one(`subscriptions/${segment(id)}`);
  }

  /** Holds for the events that are emitted after it has resolved. */
  async updateSubscription(id: string, request: { readonly filter: Filter | null }): Promise<Subscription> {
    const path = `subscriptions/${segment(id)}`;
    return (await this.#http.call<Enveloped<Subscription>>({ method: 'PUT', path, body: request })).data;
  }

  preview(subscriptionId: string, request: PreviewRequest): Promise<Preview> {
    return this.#post(`subscriptions/${segment(subscriptionId)}/preview`, request, undefined);
  }

  deleteSubscription(request: SubscriptionRequest): Promise<void> {
    return this.#delete('subscriptions', request);
  }

  deliveries(subscriptionId: string, request: DeliveriesRequest = {}): Promise<Page<Delivery>> {
    return this.#page(`subscriptions/${segment(subscriptionId)}/deliveries`, request);
  }

  /** Returns the existing component when the same code was saved before. */
  saveComponent(request: SaveRequest, { idempotencyKey }: Repeatable = {}): Promise<Component> {
    return this.#post('components', request, idempotencyKey);
  }

  components(request: ComponentsRequest = {}): Promise<Page<ComponentSummary>> {
    return this.#page('components', request);
  }

  /** With a key: the version saved last. */
  component(idOrKey: string): Promise<Component> {
    return this.#one(`components/${segment(idOrKey)}`);
  }

  /** Resolves when the deploy has ended, or after 30 s with a source whose state is `deploying`. */
  deploySource(request: DeployRequest, { idempotencyKey }: Repeatable = {}): Promise<NewSource> {
    return this.#post('sources', request, idempotencyKey);
  }

  sources(paging: Paging = {}): Promise<Page<Source>> {
    return this.#page('sources', paging);
  }

  source(id: string): Promise<Source> {
    return this.#one(`sources/${segment(id)}`);
  }

  /** Resolves when the update has ended, or after 30 s with a source whose state is `updating`. */
  async updateSource(id: string, request: UpdateRequest): Promise<NewSource> {
    const path = `sources/${segment(id)}`;
    return (await this.#http.call<Enveloped<NewSource>>({ method: 'PUT', path, body: request })).data;
  }

  deleteSource(id: string, request?: IgnoringHooks): Promise<void> {
    return this.#delete(`sources/${segment(id)}`, request);
  }

  eventSummaries(sourceId: string, request: EventsRequest = {}): Promise<Page<EventSummary>> {
    return this.#page(`sources/${segment(sourceId)}/event_summaries`, request);
  }

  /** Resolves once the deletion is on the log and certain. */
  deleteEvents(sourceId: string, request: DeleteEventsRequest = {}): Promise<void> {
    return this.#delete(`sources/${segment(sourceId)}/events`, request);
  }

  runs(sourceId: string, request: RunsRequest = {}): Promise<Page<Run>> {
    return this.#page(`sources/${segment(sourceId)}/runs`, request);
  }

  /** A finished run. */
  run(sourceId: string, runId: string): Promise<Run> {
    return this.#one(`sources/${segment(sourceId)}/runs/${segment(runId)}`);
  }

  /** Resolves once the run is certain. Without an event the source gets one in the shape of its interface. */
  runNow(sourceId: string, request: RunNowRequest = {}): Promise<AcceptedRun> {
    return this.#post(`sources/${segment(sourceId)}/run`, request, undefined);
  }

  /** Resolves with the run when it has ended; after 60 s, or when the end is unknown, with the run's id only. */
  runNowAndWait(sourceId: string, request: RunNowRequest = {}): Promise<Run | AcceptedRun> {
    return this.#post(`sources/${segment(sourceId)}/run`, { ...request, wait: 1 }, undefined);
  }

  /** Emits the component's sample once, and resolves with the run that emitted it. */
  emitSample(sourceId: string): Promise<Run> {
    return this.#post(`sources/${segment(sourceId)}/sample`, {}, undefined);
  }

  async #one<T>(path: string): Promise<T> {
    return (await this.#http.call<Enveloped<T>>({ method: 'GET', path })).data;
  }

  #page<T>(path: string, query: object): Promise<Page<T>> {
    return this.#http.call({ method: 'GET', path, query });
  }

  async #post<T>(path: string, body: object, idempotencyKey: string | undefined): Promise<T> {
    return (await this.#http.call<Enveloped<T>>({ method: 'POST', path, body, idempotencyKey })).data;
  }

  async #delete(path: string, body?: object): Promise<void> {
    await this.#http.call({ method: 'DELETE', path, ...(body === undefined ? {} : { body }) });
  }
}

export const createClient = (options: ClientOptions): Client => new Client(options);
