// Runs the delivery stage for its specs, with a log in memory, a scripted receiver, and the real stage loop.
import { pino } from 'pino';
import { partitionOf } from '../../domain/flow.ts';
import { derivedId } from '../../domain/id.ts';
import type { LogRecord } from '../../domain/message.ts';
import { keyBytes, nonceBytes, seal } from '../../domain/secrets/seal.ts';
import { wrapKey } from '../../domain/workspace/keyring.ts';
import { secretFromBytes } from '../../domain/delivery/signature.ts';
import { finishedOf } from '../../domain/delivery/cursor.ts';
import type { DeletedEvents } from '../../domain/channel/messages.ts';
import type { CursorCounters } from '../../domain/delivery/messages.ts';
import type { WebhookDefinition } from '../../domain/listener/definition/messages.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { positionKey, type Outgoing, type Writer } from '../../log/index.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { FakeTransformer } from '../../sandbox/transformer.fake.ts';
import { FakeWebhook } from '../../webhooks/webhook.fake.ts';
import { HeldAlerts } from '../loop/alerts/held-alerts.ts';
import type { LastingTrouble } from '../loop/alerts/held-alerts.ts';
import { StageLoop } from '../loop/stage-loop.ts';
import { until } from '../../../test/support/until.ts';
import { DeliveryStage } from './delivery.stage.ts';
import type { DeliveryLimits } from './delivery-limits.ts';

export const workspace = 'o_1';
export const masterKey = Buffer.alloc(keyBytes, 1);
const dataKey = Buffer.alloc(keyBytes, 2);
const nonce = Buffer.alloc(nonceBytes, 3);
export const secretOf = (byte: number): string => secretFromBytes(Buffer.alloc(24, byte));
export const sealed = (text: string) => seal(dataKey, text, nonce, workspace);
export const sealedKey = (byte: number) => sealed(secretOf(byte));
export const secret = secretOf(4);

/** Quick enough for specs, slow enough that several completions share a flush. */
const quickLimits: Partial<DeliveryLimits> = { flushMs: 5, idleFlushMs: 10, patienceMs: 20 };

export class DeliveryWorld {
  readonly log = new MemoryLog({ partitions: 1 });
  readonly webhook = new FakeWebhook();
  readonly transformer = new FakeTransformer();
  /** The messages of errors that the stage logged. */
  readonly errorsLogged: string[] = [];
  /** The alerts raised, each as `code/subject` once. */
  readonly liveAlerts = new Set<string>();
  /** The calls for alerts, in order: `raise` or `end`, code and subject, and since when. */
  readonly alertCalls: (readonly [what: string, alert: string, since?: number | undefined])[] = [];
  readonly fatal: unknown[] = [];
  /** The metrics of the stage that was started last. */
  metrics = new Metrics();
  /** How far the stage's clock is ahead. */
  clockAheadMs = 0;
  readonly #limits: Partial<DeliveryLimits>;
  readonly #webhooks = new Map<string, object>();
  #isFolded = false;
  #lifecycle: Writer | undefined;
  #runtime: Writer | undefined;
  #loop: StageLoop | undefined;
  #sequence = 0;

  constructor(limits: Partial<DeliveryLimits> = {}) {
    this.#limits = { ...quickLimits, ...limits };
  }

  async start(): Promise<void> {
    await this.#fold();
    const logError = (message: string): number => this.errorsLogged.push(message);
    const ambient = {
      now: () => Date.now() + this.clockAheadMs,
      randomBytes: (count: number) => Buffer.alloc(count, 0x7f),
    };
    const { webhook, transformer } = this;
    // The scripted receiver outlives the stage: only `end` closes it.
    const port = { post: webhook.post.bind(webhook), close: () => Promise.resolve() };
    this.metrics = new Metrics();
    const options = { webhook: port, transformer, masterKey, ambient, logError, limits: this.#limits };
    const stage = new DeliveryStage({ ...options, metrics: this.metrics });
    const raise = (code: string, subject: string, _message: string, since?: number): void => {
      this.liveAlerts.add(`${code}/${subject}`);
      this.alertCalls.push(['raise', `${code}/${subject}`, since]);
    };
    const end = (code: string, subject: string): void => {
      this.liveAlerts.delete(`${code}/${subject}`);
      this.alertCalls.push(['end', `${code}/${subject}`]);
    };
    const held = new HeldAlerts({
      raise: ({ code, subject, describe, since }) => {
        raise(code, subject, describe(), since);
        return true;
      },
      end: ({ code, subject }) => end(code, subject),
    });
    const alerts = { raise, end, hold: (lasting: LastingTrouble) => held.hold(lasting) };
    this.#loop = new StageLoop(stage, this.log, pino({ level: 'silent' }), { alerts });
    this.#loop.start((error) => this.fatal.push(error));
  }

  get isRunning(): boolean {
    return this.#loop !== undefined;
  }

  /** `drainMs` 0: drops the attempts in flight, as a kill does. */
  async stop(drainMs = 1_000): Promise<void> {
    await this.#loop?.stop(drainMs);
    this.#loop = undefined;
  }

  async end(): Promise<void> {
    await this.stop(0);
    await this.webhook.close();
    await this.log.close();
  }

  async addKey(): Promise<void> {
    const data = wrapKey(masterKey, dataKey, nonce, workspace);
    await this.append('keys', this.record('DataKeyAdded', workspace, data));
  }

  async addWebhook(webhookId: string, settings: Partial<WebhookDefinition['data']> = {}): Promise<void> {
    const data = {
      webhookId,
      createdAt: 1,
      madeBy: null,
      disabled: false,
      userId: 'u_1',
      url: `https://receiver.example/${webhookId}`,
      name: null,
      description: null,
      ordered: true,
      retrySchedule: null,
      signingKey: sealedKey(4),
      ...settings,
    };
    this.#webhooks.set(webhookId, data);
    await this.append('webhooks', this.record('WebhookDefined', webhookId, data));
  }

  /** Resolves once delivery has read the webhook's changed definition. */
  async changeWebhook(webhookId: string, changes: Partial<WebhookDefinition['data']>): Promise<void> {
    await this.addWebhook(webhookId, { ...this.#webhooks.get(webhookId), ...changes });
    const end = await this.log.end('webhooks', 0);
    await until('the change to be read', () => (this.positions[positionKey('webhooks', 0)] ?? 0) >= end);
  }

  async subscribe(
    subscriptionId: string,
    to: {
      listenerId: string;
      emitterId?: string;
      eventName?: string | null;
      channelEnd?: number | null;
      workspace?: string;
    },
  ): Promise<void> {
    const { listenerId, emitterId = 'dc_a', eventName = null } = to;
    const end = to.channelEnd === undefined ? await this.log.end('channels', 0) : to.channelEnd;
    const data = { subscriptionId, emitterId, listenerId, eventName, createdAt: 1, madeBy: null, from: end };
    const record = this.record('SubscriptionDefined', subscriptionId, data);
    await this.append('subscriptions', { ...record, workspace: to.workspace ?? workspace });
  }

  async unsubscribe(subscriptionId: string): Promise<void> {
    await this.append('subscriptions', this.record('SubscriptionDefined', subscriptionId, undefined));
  }

  async disable(webhookId: string): Promise<void> {
    const data = { ...this.#webhooks.get(webhookId), disabled: true };
    await this.append('webhooks', this.record('WebhookDefined', webhookId, data));
  }

  async deleteWebhook(webhookId: string): Promise<void> {
    await this.append('webhooks', this.record('WebhookDefined', webhookId, undefined));
  }

  /** Emits `{ n }` for each number, in one append; returns the events' ids. */
  async emit(
    numbers: readonly number[],
    at: { emitterId?: string; channel?: string; ms?: number; hops?: number; keyOf?: (n: number) => unknown } = {},
  ): Promise<string[]> {
    const { emitterId = 'dc_a', channel = '', ms = 1000, hops, keyOf } = at;
    const hopsField = hops === undefined ? {} : { hops };
    this.#runtime ??= await this.log.own('runtime', 0);
    const records = numbers.map((n): Outgoing => {
      const eventId = `${ms}-${this.#sequence++}`;
      const event = { n, emitterId, ...(keyOf === undefined ? {} : { key: keyOf(n) }) };
      const data = { emitterId, eventId, channel, event, emit: {}, runId: 'run_1', ...hopsField };
      const partition = partitionOf(emitterId, 1);
      return { topic: 'channels', partition, record: this.record('EventEmitted', emitterId, data) };
    });
    await this.#runtime.append(records, {});
    return records.map(({ record }) => (record.data as { eventId: string }).eventId);
  }

  /** Deletes several ranges in one append; without any, all events. */
  async delete(...ranges: readonly Partial<DeletedEvents>[]): Promise<void> {
    this.#runtime ??= await this.log.own('runtime', 0);
    const all = { emitterId: 'dc_a', channel: null, startId: null, endId: `1000-${this.#sequence}` };
    const records = (ranges.length === 0 ? [{}] : ranges).map((range): Outgoing => {
      const record = this.record('EventsDeleted', 'dc_a', { ...all, ...range });
      return { topic: 'channels', partition: 0, record };
    });
    await this.#runtime.append(records, {});
  }

  /** Appends a change of the subscription's filter among the events. */
  async changeFilter(subscriptionId: string, version: number): Promise<void> {
    this.#runtime ??= await this.log.own('runtime', 0);
    const record = this.record('FilterChanged', subscriptionId, { subscriptionId, version });
    await this.#runtime.append([{ topic: 'channels', partition: 0, record }], {});
  }

  /** Makes delivery give up everything older than `before`. */
  async setRetention(before: number): Promise<void> {
    await this.append('retention', this.record('RetentionMoved', 'retention', { before, hooksBefore: before }));
  }

  /** Resolves once delivery has carried out the newest fact of retention, and its mark on the log says so. */
  async retentionApplied(): Promise<void> {
    const end = await this.log.end('retention', 0);
    await until('delivery to give up what is older', () => (this.positions['retention/0'] ?? 0) >= end);
  }

  /** The positions in the mark on the log. */
  get positions(): Record<string, number> {
    const mark = this.log.records('marks.delivery').at(-1)?.data as { positions?: Record<string, number> } | undefined;
    return mark?.positions ?? {};
  }

  record(type: string, key: string, data: unknown): LogRecord {
    const id = derivedId('rec', type, key, this.#sequence++);
    return { id, type, version: 1, key, data, at: 1000, workspace, correlationId: id, causationId: id };
  }

  /** The numbers sent to the receiver for a webhook, in the order of the calls. */
  sentTo(webhookId: string, emitterId?: string): number[] {
    return this.bodiesTo(webhookId)
      .filter((body) => emitterId === undefined || body.emitterId === emitterId)
      .map((body) => body.n);
  }

  bodiesTo(webhookId: string): { n: number; emitterId: string }[] {
    return this.webhook.calls
      .filter(({ request }) => request.url.endsWith(`/${webhookId}`))
      .map(({ request }) => JSON.parse(request.body) as { n: number; emitterId: string });
  }

  /** A short form of a subscription's records on `deliveries`. */
  deliveries(subscriptionId: string): { type: string; data: Record<string, unknown> }[] {
    const records = this.log.records('deliveries').filter((record) => record.key === subscriptionId);
    return records.map(({ type, data }) => ({ type, data: data as Record<string, unknown> }));
  }

  delivered(subscriptionId: string): number {
    return this.deliveries(subscriptionId).filter(({ data }) => data['outcome'] === 'delivered').length;
  }

  /** The newest record of a key on `cursors`. */
  cursor(key: string): { type: string; data: Record<string, unknown> } | undefined {
    const record = this.log.records('cursors').findLast((one) => one.key === key);
    return record && { type: record.type, data: record.data as Record<string, unknown> };
  }

  /** How many events are accounted for on a cursor. */
  finished(key: string): number {
    const counters = this.cursor(key)?.data['counters'] as CursorCounters | undefined;
    return counters === undefined ? 0 : finishedOf(counters);
  }

  /** Whether the newest record of a key on `cursors` is a tombstone, or there is none. */
  isRemoved(key: string): boolean {
    const record = this.log.records('cursors').findLast((one) => one.key === key);
    return record?.data === undefined;
  }

  /** Resolves once the mark has passed everything on `channels`. */
  async markAtEnd(): Promise<void> {
    const end = await this.log.end('channels', 0);
    await until('the mark to pass all events', () => (this.positions[positionKey('channels', 0)] ?? 0) >= end);
  }

  /** Records that all definitions are written, as lifecycle does on a new log. */
  async #fold(): Promise<void> {
    if (this.#isFolded) return;
    this.#isFolded = true;
    const record = this.record('DefinitionsFolded', 'folded', { format: 1 });
    for (const topic of ['webhooks', 'subscriptions'] as const) await this.append(topic, record);
  }

  /** Appends a record as lifecycle. */
  async append(
    topic: 'webhooks' | 'subscriptions' | 'keys' | 'listeners' | 'retention',
    record: LogRecord,
  ): Promise<void> {
    this.#lifecycle ??= await this.log.own('lifecycle', 0);
    await this.#lifecycle.append([{ topic, partition: 0, record }], {});
  }
}

/** The numbers from 1 to `count`. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
