// The REST API as methods: each returns the record or page, or throws ApiError.
import { AutoSubscriptions } from './auto-subscriptions.ts';
import { ApiKeys } from './keys/api-keys.ts';
import { Accounts } from './accounts/accounts.ts';
import { DataStores } from './stores/data-stores.ts';
import { History } from './history/history.ts';
import { SignedHistory } from './history/signed-history.ts';
import { Http, segment } from './http.ts';
import type { ClientOptions } from './http.ts';
import { streamMessages } from './streams/stream-messages.ts';
import type { StreamMessage } from './streams/stream-messages.ts';
import { ComponentClient } from './component-client.ts';
import type { Replay, ReplayCount } from './delivery-records.ts';
import type {
  AcceptedRun,
  EventSummary,
  Health,
  WebhookWithKey,
  NewSource,
  NewWebhook,
  Page,
  Preview,
  Published,
  Run,
  Source,
  Subscription,
  SubscriptionDetail,
  User,
  Webhook,
} from './records.ts';
import type {
  DeployRequest,
  EventsRequest,
  EventStreamRequest,
  HookErrorOptions,
  NewSigningKeyRequest,
  NewSubscriptionRequest,
  NewWebhookRequest,
  Paging,
  PositionsRequest,
  PreviewRequest,
  SubscriptionsRequest,
  SubscriptionUpdateRequest,
  PublishedEvent,
  Repeatable,
  ReplayRequest,
  DeleteEventsRequest,
  RunNowRequest,
  RunsRequest,
  SourcesRequest,
  StreamRequest,
  SubscriptionRequest,
  UpdateRequest,
  WebhooksRequest,
  WebhookUpdateRequest,
} from './requests.ts';

type Enveloped<T> = { readonly data: T };

export class Client extends ComponentClient {
  readonly autoSubscriptions: AutoSubscriptions;
  readonly apiKeys: ApiKeys;
  readonly accounts: Accounts;
  readonly dataStores: DataStores;
  readonly history: History;
  readonly signedHistory: SignedHistory;
  readonly #http: Http;

  constructor(options: ClientOptions) {
    const http = new Http(options);
    super(http);
    this.#http = http;
    this.autoSubscriptions = new AutoSubscriptions(http);
    this.apiKeys = new ApiKeys(http);
    this.accounts = new Accounts(http);
    this.dataStores = new DataStores(http);
    this.history = new History(http);
    this.signedHistory = new SignedHistory(http);
  }

  /** Returns the health of the service, healthy or not, with the status of the answer and its clock. Needs no key. */
  async health(): Promise<{ readonly health: Health; readonly status: number; readonly dateMs: number | undefined }> {
    const { status, body, dateMs } = await this.#http.getPublic('/health');
    return { health: body as Health, status, dateMs };
  }

  me(): Promise<User> {
    return this.#one('users/me');
  }

  createWebhook(
    request: NewWebhookRequest & { readonly signature: 'ed25519' },
    repeatable?: Repeatable,
  ): Promise<Webhook>;
  createWebhook(request: NewWebhookRequest, repeatable?: Repeatable): Promise<NewWebhook>;
  createWebhook(request: NewWebhookRequest, { idempotencyKey }: Repeatable = {}): Promise<Webhook> {
    return this.#post('webhooks', request, idempotencyKey);
  }

  webhooks(paging: WebhooksRequest = {}): Promise<Page<Webhook>> {
    return this.#page('webhooks', paging);
  }

  webhook(id: string): Promise<Webhook> {
    return this.#one(`webhooks/${segment(id)}`);
  }

  /** The result has the signing key if `signature` was changed to HMAC. */
  updateWebhook(id: string, request: WebhookUpdateRequest): Promise<WebhookWithKey> {
    return this.#put(`webhooks/${segment(id)}`, request);
  }

  regenerateSigningKey(
    id: string,
    request: NewSigningKeyRequest = {},
    { idempotencyKey }: Repeatable = {},
  ): Promise<WebhookWithKey> {
    return this.#post(`webhooks/${segment(id)}/regenerate_signing_key`, request, idempotencyKey);
  }

  /** Stops deliveries to the webhook: events wait until it is resumed. */
  pauseWebhook(id: string): Promise<Webhook> {
    return this.#post(`webhooks/${segment(id)}/pause`, {}, undefined);
  }

  resumeWebhook(id: string): Promise<Webhook> {
    return this.#post(`webhooks/${segment(id)}/resume`, {}, undefined);
  }

  deleteWebhook(id: string): Promise<void> {
    return this.#delete(`webhooks/${segment(id)}`);
  }

  /** Returns the existing subscription if there is one with the same three values. */
  async createSubscription(
    request: NewSubscriptionRequest,
    { idempotencyKey }: Repeatable = {},
  ): Promise<Subscription> {
    const [subscription] = await this.#post<readonly Subscription[]>('subscriptions', request, idempotencyKey);
    if (subscription === undefined) throw new Error('the answer holds no subscription');
    return subscription;
  }

  subscriptions(query: SubscriptionsRequest = {}): Promise<Page<Subscription>> {
    return this.#page('subscriptions', query);
  }

  /** Returns the subscription with its positions and counters. */
  subscription(id: string): Promise<SubscriptionDetail> {
    return this.#one(`subscriptions/${segment(id)}`);
  }

  /** Lists the positions by the source's id. */
  positions(id: string, request: PositionsRequest = {}): Promise<Page<SubscriptionDetail['positions'][number]>> {
    return this.#page(`subscriptions/${segment(id)}/positions`, request);
  }

  /** By its id, or by the three values that it was created with. */
  deleteSubscription(idOrValues: string | SubscriptionRequest): Promise<void> {
    if (typeof idOrValues === 'string') return this.#delete(`subscriptions/${segment(idOrValues)}`);
    return this.#delete('subscriptions', idOrValues);
  }

  replay(subscriptionId: string, request: ReplayRequest = {}, { idempotencyKey }: Repeatable = {}): Promise<Replay> {
    return this.#post(`subscriptions/${segment(subscriptionId)}/replay`, request, idempotencyKey);
  }

  /** Counts what a replay would send; sends nothing. */
  countReplay(subscriptionId: string, request: ReplayRequest = {}): Promise<ReplayCount> {
    return this.#post(`subscriptions/${segment(subscriptionId)}/replay`, { ...request, dry_run: true }, undefined);
  }

  replays(subscriptionId: string, paging: Paging = {}): Promise<Page<Replay>> {
    return this.#page(`subscriptions/${segment(subscriptionId)}/replays`, paging);
  }

  replayOf(subscriptionId: string, id: string): Promise<Replay> {
    return this.#one(`subscriptions/${segment(subscriptionId)}/replays/${segment(id)}`);
  }

  cancelReplay(subscriptionId: string, id: string): Promise<Replay> {
    return this.#post(`subscriptions/${segment(subscriptionId)}/replays/${segment(id)}/cancel`, {}, undefined);
  }

  /**
   * Applies to events emitted after it has resolved; if delivery does not answer within 5 s, from a little later on.
   */
  updateSubscription(id: string, request: SubscriptionUpdateRequest): Promise<Subscription> {
    return this.#put(`subscriptions/${segment(id)}`, request);
  }

  preview(subscriptionId: string, request: PreviewRequest): Promise<Preview> {
    return this.#post(`subscriptions/${segment(subscriptionId)}/preview`, request, undefined);
  }

  /** Resolves when the deploy has ended, or after 30 s with a source whose state is `deploying`. */
  deploySource(request: DeployRequest, { idempotencyKey }: Repeatable = {}): Promise<NewSource> {
    return this.#post('sources', request, idempotencyKey);
  }

  sources(paging: SourcesRequest = {}): Promise<Page<Source>> {
    return this.#page('sources', paging);
  }

  source(id: string): Promise<Source> {
    return this.#one(`sources/${segment(id)}`);
  }

  /** Resolves when the update has ended, or after 30 s with a source whose state is `updating`. */
  updateSource(id: string, request: UpdateRequest): Promise<NewSource> {
    return this.#put(`sources/${segment(id)}`, request);
  }

  deleteSource(id: string, request?: HookErrorOptions): Promise<void> {
    return this.#delete(`sources/${segment(id)}`, request);
  }

  eventSummaries(sourceId: string, request: EventsRequest = {}): Promise<Page<EventSummary>> {
    return this.#page(`sources/${segment(sourceId)}/event_summaries`, request);
  }

  /** Yields events as they are emitted. Ends when the service ends it; to continue, open it again after the last id. */
  eventStream(sourceId: string, request: EventStreamRequest = {}): AsyncGenerator<StreamMessage<EventSummary>> {
    return this.#stream(`sources/${segment(sourceId)}/sse`, request);
  }

  /** Yields runs as they end; otherwise like the stream of events. */
  runStream(sourceId: string, request: StreamRequest = {}): AsyncGenerator<StreamMessage<Run>> {
    return this.#stream(`sources/${segment(sourceId)}/logs/sse`, request);
  }

  /** Resolves when the deletion is on the log and certain. */
  deleteEvents(sourceId: string, request: DeleteEventsRequest = {}): Promise<void> {
    return this.#delete(`sources/${segment(sourceId)}/events`, request);
  }

  /** Resolves when the events, 1,000 at most, are on the log; the source's kind must be `channel`. */
  publish(
    sourceId: string,
    events: readonly PublishedEvent[],
    { idempotencyKey }: Repeatable = {},
  ): Promise<readonly Published[]> {
    return this.#post(`sources/${segment(sourceId)}/events`, { events }, idempotencyKey);
  }

  runs(sourceId: string, request: RunsRequest = {}): Promise<Page<Run>> {
    return this.#page(`sources/${segment(sourceId)}/runs`, request);
  }

  /** Returns a finished run. */
  run(sourceId: string, runId: string): Promise<Run> {
    return this.#one(`sources/${segment(sourceId)}/runs/${segment(runId)}`);
  }

  /** Resolves when the run is certain. Without an event the source receives one in the shape of its interface. */
  runNow(sourceId: string, request: RunNowRequest = {}): Promise<AcceptedRun> {
    return this.#post(`sources/${segment(sourceId)}/run`, request, undefined);
  }

  /** Resolves with the run when it has ended; after 60 s, or if the end is unknown, with only the run's id. */
  runNowAndWait(sourceId: string, request: RunNowRequest = {}): Promise<Run | AcceptedRun> {
    return this.#post(`sources/${segment(sourceId)}/run`, { ...request, wait: 1 }, undefined);
  }

  /** Emits the component's sample once, and resolves with the run that emitted it. */
  emitSample(sourceId: string): Promise<Run> {
    return this.#post(`sources/${segment(sourceId)}/sample`, {}, undefined);
  }

  async *#stream<T>(path: string, request: EventStreamRequest): AsyncGenerator<StreamMessage<T>> {
    const { after, signal, onOpen, ...query } = request;
    const body = await this.#http.stream({ path, query, lastEventId: after, signal });
    onOpen?.();
    yield* streamMessages<T>(body);
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

  async #put<T>(path: string, body: object): Promise<T> {
    return (await this.#http.call<Enveloped<T>>({ method: 'PUT', path, body })).data;
  }

  async #delete(path: string, body?: object): Promise<void> {
    await this.#http.call({ method: 'DELETE', path, ...(body === undefined ? {} : { body }) });
  }
}

export const createClient = (options: ClientOptions): Client => new Client(options);
