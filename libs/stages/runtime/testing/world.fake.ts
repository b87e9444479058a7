// Provides a log with sources for the specs of this stage: deploys, requests triggers, and reads their results.
import type { DeletedEvents } from '../../../domain/channel/messages.ts';
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { DedupeStrategy, PropDefinition } from '../../../domain/component/manifest.ts';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { Trigger, TriggerKind } from '../../../domain/source/messages.ts';
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { Json } from '../../../domain/json.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { PublishedEvent } from '../../../domain/publish/messages.ts';
import { wrapKey } from '../../../domain/workspace/keyring.ts';
import { nonceBytes, seal, unseal } from '../../../domain/secrets/seal.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { Writer } from '../../../log/index.ts';
import type { FakeComponent } from '../../../sandbox/sandbox.fake.ts';

import type { BundleUser } from '../bundles/bundle-uses.ts';

export const workspace = 'o_1';
export const masterKey = Buffer.alloc(32, 1);
const dataKey = Buffer.alloc(32, 2);
const nonce = Buffer.alloc(nonceBytes, 3);

const common = { createdAt: 0, madeBy: null, from: 0 };

interface Scripted extends Omit<FakeComponent, 'manifest'> {
  readonly dedupe?: DedupeStrategy;
  readonly props?: readonly PropDefinition[];
  readonly settings?: SourceSettings;
  readonly revision?: number;
}

interface TriggerOptions extends Pick<Trigger['data'], 'emits' | 'hops' | 'channel'> {
  readonly kind?: TriggerKind;
  readonly revision?: number;
  readonly http?: Partial<HttpRequestData>;
  readonly replyTo?: string;
  readonly at?: number;
}

export class World {
  readonly log = new MemoryLog({ partitions: 1 });
  readonly components = new Map<string, FakeComponent>();
  #lifecycle: Writer | undefined;
  readonly #defined = new Map<string, object>();
  #isFolded = false;
  #idCount = 0;
  #clockMs = 1_000;

  readonly ambient = {
    now: (): number => this.#clockMs++,
    randomBytes: (count: number): Buffer => Buffer.alloc(count, this.#idCount++ % 256),
  };

  /** Moves the wall clock forward or back. */
  advanceClock(ms: number): void {
    this.#clockMs += ms;
  }

  seal(value: Json): Sealed {
    return seal(dataKey, value, nonce, workspace);
  }

  async addKey(): Promise<void> {
    await this.fold();
    await this.append('keys', 'DataKeyAdded', workspace, wrapKey(masterKey, dataKey, nonce, workspace));
  }

  /** Both steps of a deploy, so that triggers run. The component's code is the id of the source. */
  async deploy(sourceId: string, component: Scripted, props: Record<string, Json | Sealed> = {}): Promise<void> {
    await this.beginDeploy(sourceId, component);
    await this.configure(sourceId, props, component.revision);
  }

  async beginDeploy(
    sourceId: string,
    { dedupe, props = [], settings, revision = 1, ...functions }: Scripted,
  ): Promise<void> {
    const described = {
      name: sourceId,
      version: '1',
      type: 'source',
      props,
      hooks: [],
      methods: [],
      additionalProps: false,
    } as const;
    const manifest = dedupe === undefined ? described : { ...described, dedupe };
    this.components.set(sourceId, { manifest, ...functions });
    const data = {
      sourceId,
      revision,
      code: sourceId,
      codeHash: 'h',
      endpointKey: `key-${sourceId}`,
      userId: 'u_1',
      requestedName: null,
      configuredProps: this.seal({}),
      fingerprint: null,
    };
    const codeFrom = await this.log.end('components', this.#partition(sourceId));
    const { endpointKey, requestedName, configuredProps } = data;
    this.#defined.set(sourceId, {
      sourceId,
      revision,
      endpointKey,
      requestedName,
      configuredProps,
      codeFrom,
      configuredFrom: null,
      status: 'deploying',
      createdAt: 0,
      madeBy: null,
      nameSlug: null,
      hooks: [],
      ended: [],
      console: [],
      http: null,
      ...(settings === undefined ? {} : { settings }),
    });
    await this.#appendBoth('SourceDeploying', sourceId, data);
  }

  async configure(sourceId: string, props: Record<string, Json | Sealed> = {}, revision = 1): Promise<void> {
    const manifest = this.components.get(sourceId)?.manifest;
    const named = { name: sourceId, nameSlug: sourceId };
    const configuredFrom = await this.log.end('components', this.#partition(sourceId));
    this.#defined.set(sourceId, { ...this.#defined.get(sourceId), nameSlug: sourceId, configuredFrom });
    const bundle = this.#describedBundle(sourceId, revision);
    const data = { sourceId, revision, manifest, ...named, ...(bundle ? { bundle } : {}), props };
    await this.#appendBoth('SourceConfigured', sourceId, data);
  }

  /** Changes fields of the source's definition. */
  async define(sourceId: string, more: object): Promise<void> {
    this.#defined.set(sourceId, { ...this.#defined.get(sourceId), ...more });
    await this.append('sources', 'SourceDefined', sourceId, this.#defined.get(sourceId));
  }

  /** The bundle that the outcome of describing this revision names. */
  #describedBundle(sourceId: string, revision: number): BundleLocation | undefined {
    const described = this.data<Partial<BundleUser> & { readonly bundle?: BundleLocation }>('hooks');
    return described.find((one) => one.sourceId === sourceId && one.revision === revision)?.bundle;
  }

  /** Ends a source's process so that no source is left: `SourceDeleted`, or a refused deploy. */
  async endSource(sourceId: string, type: 'SourceDeleted' | 'SourceDeployRefused' = 'SourceDeleted'): Promise<void> {
    this.#defined.delete(sourceId);
    const refusal = { revision: 1, reason: 'props_invalid', message: '' };
    await this.#appendBoth(type, sourceId, { sourceId, ...(type === 'SourceDeleted' ? { console: [] } : refusal) });
  }

  /** Deletes the source's definition. */
  async undefine(sourceId: string): Promise<void> {
    await this.append('sources', 'SourceDefined', sourceId, undefined);
  }

  /** Appends the definition of a new subscription, as lifecycle does. */
  async subscribe(subscriptionId: string, emitterId: string, eventName: string | null = '$logs'): Promise<void> {
    if (eventName === '$logs') await this.requestLogs(emitterId);
    const triple = { emitterId, listenerId: 'wh_1', eventName };
    await this.append('subscriptions', 'SubscriptionDefined', subscriptionId, { ...triple, ...common, subscriptionId });
  }

  async unsubscribe(subscriptionId: string): Promise<void> {
    await this.append('subscriptions', 'SubscriptionDefined', subscriptionId, undefined);
  }

  /** Appends the request that tells runtime about a new subscription to `$logs`. */
  async requestLogs(emitterId: string): Promise<void> {
    const record = this.#record('LogsRequested', emitterId, { emitterId });
    await this.log.request({ topic: 'triggers', partition: this.#partition(emitterId), record });
  }

  /** Appends what lifecycle appends first: from then on definitions can be read. */
  async fold(): Promise<void> {
    if (this.#isFolded) return;
    this.#isFolded = true;
    for (const topic of ['sources', 'subscriptions'] as const)
      await this.append(topic, 'DefinitionsFolded', 'folded', { format: 1 });
  }

  async trigger(sourceId: string, options: TriggerOptions = {}): Promise<string> {
    const { revision = 1, http, replyTo, emits, hops, channel, at = 0 } = options;
    const { kind = http ? 'http' : 'manual' } = options;
    const request = {
      method: 'POST',
      path: '/',
      url: 'http://h/',
      query: {},
      headers: {},
      sealedHeaders: null,
      bodyBase64: '',
      clientIp: '::1',
    };
    const data = {
      sourceId,
      kind,
      revision,
      ...(http ? { http: { ...request, ...http } } : {}),
      ...(replyTo ? { replyTo } : {}),
      ...(emits ? { emits } : {}),
      ...(hops ? { hops } : {}),
      ...(channel ? { channel } : {}),
    };
    const record = { ...this.#record('TriggerRequested', sourceId, data), at };
    await this.log.request({ topic: 'triggers', partition: this.#partition(sourceId), record });
    return record.id;
  }

  async deleteEvents(sourceId: string, range: Partial<DeletedEvents> = {}): Promise<void> {
    const data = { sourceId, channel: null, startId: null, endId: null, ...range };
    const record = this.#record('EventDeletionRequested', sourceId, data);
    await this.log.request({ topic: 'triggers', partition: this.#partition(sourceId), record });
  }

  /** Returns the correlation id of the answer. */
  async publish(
    sourceId: string,
    events: readonly Partial<PublishedEvent>[],
    { requestKey, of = workspace }: { readonly requestKey?: string; readonly of?: string } = {},
  ): Promise<string> {
    const complete = events.map((event) => ({ event: null, channel: '', ...event }));
    const data = { sourceId, events: complete, replyTo: 'gw_1', ...(requestKey === undefined ? {} : { requestKey }) };
    const record = { ...this.#record('EventsPublishRequested', sourceId, data), workspace: of };
    await this.log.request({ topic: 'triggers', partition: this.#partition(sourceId), record });
    return record.correlationId;
  }

  /** Asks a data store; returns the id of the request, which the answer names. */
  async askStore(question: Json, of = workspace): Promise<string> {
    const data = { question: this.seal(question), replyTo: 'gw_1' };
    const record = { ...this.#record('DataStoreRequested', workspace, data), workspace: of };
    await this.log.request({ topic: 'triggers', partition: this.#partition(workspace), record });
    return record.id;
  }

  open(sealed: Sealed): Json {
    return unseal(dataKey, sealed, workspace);
  }

  /** Requests an http trigger with this JSON body. */
  post(sourceId: string, body: Json, options: TriggerOptions = {}): Promise<string> {
    const bodyBase64 = Buffer.from(JSON.stringify(body)).toString('base64');
    const headers = { 'content-type': 'application/json' };
    return this.trigger(sourceId, { ...options, http: { headers, bodyBase64, ...options.http } });
  }

  /** Requests a trigger that cannot be read. */
  async requestMalformed(sourceId: string): Promise<void> {
    const record = this.#record('TriggerRequested', sourceId, 5);
    await this.log.request({ topic: 'triggers', partition: this.#partition(sourceId), record });
  }

  /** Appends the fact and the definition that follows from it together. */
  async #appendBoth(type: string, sourceId: string, data: unknown): Promise<void> {
    const partition = this.#partition(sourceId);
    const lifecycle = await this.#lifecycleWriter();
    await lifecycle.append(
      [
        { topic: 'components', partition, record: this.#record(type, sourceId, data) },
        { topic: 'sources', partition, record: this.#record('SourceDefined', sourceId, this.#defined.get(sourceId)) },
      ],
      {},
    );
  }

  async #lifecycleWriter(): Promise<Writer> {
    return (this.#lifecycle ??= await this.log.own('lifecycle', 0));
  }

  async append(topic: TopicName, type: string, key: string, data: unknown): Promise<void> {
    const lifecycle = await this.#lifecycleWriter();
    const partition = topic === 'keys' ? 0 : this.#partition(key);
    await lifecycle.append([{ topic, partition, record: this.#record(type, key, data) }], {});
  }

  /** The data of every record of a topic. */
  data<T>(topic: TopicName): readonly T[] {
    return this.log.records(topic).map((record) => record.data as T);
  }

  db(sourceId: string): Json {
    const record = this.log.records('state').find(({ key }) => key === sourceId);
    const { db = null } = (record?.data ?? {}) as { db?: Sealed | null };
    return db === null ? {} : unseal(dataKey, db, workspace);
  }

  #record(type: string, key: string, data: unknown): LogRecord {
    const id = `rec_${this.#idCount++}`;
    return { id, type, version: 1, key, data, at: 0, workspace, correlationId: `req_${id}`, causationId: id };
  }

  #partition(sourceId: string): number {
    return partitionOf(sourceId, this.log.partitions);
  }
}
