// Generates histories: records of every topic that views read, plausible or not, each in its partition.
import fc from 'fast-check';
import { partitionOf, type TopicName } from '../../domain/flow.ts';
import type { Json } from '../../domain/json.ts';
import type { LogRecord } from '../../domain/message.ts';
import type { RecordOn } from '../../domain/messages-of.ts';
import { checkRecord } from '../../domain/record/check-record.ts';
import { positionKey, type Log, type Outgoing, type Writer } from '../../log/index.ts';

export interface Step {
  readonly topic: TopicName;
  /** '' for topics of the control plane. */
  readonly emitterId: string;
  /** Absent: the source's id. */
  readonly key?: string;
  readonly type: string;
  /** Epoch ms; absent: later than all earlier steps. */
  readonly at?: number;
  readonly data: { readonly [name: string]: unknown };
}

const workspace = 'o_0000000000000001';
const sealed = { $sealed: 'c2VjcmV0' };
const sources = fc.constantFrom('dc_1', 'dc_2', 'dc_3');
const webhooks = fc.constantFrom('wh_1', 'wh_2');
const subscriptions = fc.constantFrom('sub_1', 'sub_2');
const seqs = fc.nat(3);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

export const control = (topic: TopicName, type: string, data: Step['data']): Step => ({
  topic,
  emitterId: '',
  type,
  data,
});
const emitted = (topic: TopicName, emitterId: string, type: string, data: Step['data']): Step => ({
  topic,
  emitterId,
  type,
  data,
});

const workspaceStep = fc.constant(
  control('workspaces', 'WorkspaceCreated', { name: 'w', userId: 'u_1', username: 'u', email: 'u@example.com' }),
);

const webhookStep = fc
  .tuple(webhooks, fc.constantFrom('Created', 'Disabled', 'Deleted', 'DeleteRefused'))
  .map(([webhookId, what]): Step =>
    control('listeners', `Webhook${what}`, {
      webhookId,
      ...(what === 'Disabled' && { reason: 'gone' }),
      ...(what === 'DeleteRefused' && { reason: 'webhook_not_found', message: 'm' }),
      ...(what === 'Created' && {
        userId: 'u_1',
        url: 'https://example.com/',
        name: null,
        description: 'd',
        ordered: true,
        retrySchedule: [1, 2],
        signingKey: sealed,
        fingerprint: null,
      }),
    }),
  );

const subscriptionStep = fc
  .tuple(
    subscriptions,
    sources,
    webhooks,
    fc.constantFrom(null, '', 'push'),
    fc.constantFrom('SubscriptionCreated', 'SubscriptionDeleted', 'EmitterGone', 'ListenerGone'),
  )
  .map(([subscriptionId, emitterId, listenerId, eventName, what]) =>
    control('listeners', what, {
      subscriptionId,
      emitterId,
      listenerId,
      eventName,
      ...(what === 'SubscriptionCreated' && { fingerprint: null, channelEnds: [0, 0, 0] }),
    }),
  );

const sourceTypes = ['Deploying', 'Configured', 'Deployed', 'DeployRefused', 'Deleting', 'Deleted', 'DeleteRefused'];
const sourceStep = fc
  .tuple(sources, fc.constantFrom(...sourceTypes), fc.nat(2), json)
  .map(([sourceId, what, revision, value]) =>
    emitted('components', sourceId, `Source${what}`, {
      sourceId,
      revision,
      userId: 'u_1',
      code: 'module.exports = {}',
      codeHash: 'hash',
      requestedName: null,
      configuredProps: sealed,
      endpointKey: `key-${sourceId}`,
      fingerprint: null,
      manifest: {
        name: 'n',
        version: '1',
        type: 'source',
        props: [{ name: 'http', type: '$.interface.http' }],
        hooks: [],
        methods: [],
        additionalProps: false,
      },
      name: 'n',
      nameSlug: 'n',
      props: { token: sealed, value },
      console: [],
      reason: 'hook_failed',
      message: 'it threw',
    }),
  );

const eventStep = fc
  .tuple(sources, seqs, fc.constantFrom('', 'push', '$errors', '$logs'), json)
  .map(([emitterId, seq, channel, event]) =>
    emitted('channels', emitterId, 'EventEmitted', {
      emitterId,
      eventId: `${1_700_000_000_000 + seq}-${seq}`,
      channel,
      event,
      emit: { id: seq },
      runId: `run_${seq}`,
    }),
  );

const eventId = fc
  .option(seqs, { nil: null })
  .map((seq) => (seq === null ? null : `${1_700_000_000_000 + seq}-${seq}`));
const deletionStep = fc
  .tuple(sources, fc.constantFrom(null, '', '$errors'), eventId, eventId)
  .map(([emitterId, channel, startId, endId]) =>
    emitted('channels', emitterId, 'EventsDeleted', { emitterId, channel, startId, endId }),
  );

const runStep = fc.tuple(sources, seqs).map(([sourceId, seq]) =>
  emitted('runs', sourceId, 'RunFinished', {
    runId: `run_${sourceId}_${seq}`,
    sourceId,
    kind: 'http',
    outcome: 'failed',
    startedAt: 1_700_000_000_000 + seq,
    durationMs: 3,
    console: seq % 2 === 0 ? [] : [{ level: 'log', text: 'hello', at: 1 }],
    error: { name: 'Error', message: 'no' },
    emitted: [],
    deduped: 0,
  }),
);

const deliveryStep = fc
  .tuple(subscriptions, sources, seqs, fc.integer({ min: 1, max: 4 }), fc.constantFrom('delivered', 'failed', 'parked'))
  .map(([subscriptionId, emitterId, seq, attempt, outcome]) =>
    emitted('deliveries', emitterId, outcome === 'parked' ? 'DeliveryParked' : 'DeliveryAttempted', {
      subscriptionId,
      webhookId: 'wh_1',
      emitterId,
      eventId: `${1_700_000_000_000 + seq}-${seq}`,
      channel: '',
      webhookMessageId: `msg_${subscriptionId}_${emitterId}_${seq}`,
      ...(outcome === 'parked'
        ? { attempts: attempt, reason: 'attempts_exhausted' }
        : {
            attempt,
            outcome,
            status: 500,
            failure: null,
            message: null,
            answer: 'no',
            startedAt: 1,
            durationMs: 2,
            nextAttemptAt: null,
          }),
    }),
  );

const cursorStep = fc
  .tuple(subscriptions, sources, seqs, fc.constantFrom('CursorAdvanced', 'CursorClosed', 'RetryWaiting'))
  .map(([subscriptionId, emitterId, sequence, type]): Step => {
    const target = { subscriptionId, emitterId };
    const retry = { offset: 1, sequence, attempts: 1, dueAt: 5, waitMs: 5 };
    const report = { waiting: 0, eventId: `1-${sequence}`, failed: null, retryAt: null };
    const expired = { gone: 0, retention: 0 };
    const counters = { published: sequence, delivered: sequence, parked: 0, filtered: 0, expired };
    const advanced = { ...target, epoch: 1, next: sequence, open: [], counters, behindFrom: null, report };
    const data = type === 'CursorAdvanced' ? advanced : type === 'RetryWaiting' ? { ...target, ...retry } : target;
    const key = `${subscriptionId}/${emitterId}`;
    return { ...emitted('cursors', emitterId, type, data), key: type === 'RetryWaiting' ? `${key}/${sequence}` : key };
  });

export const historySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    workspaceStep,
    webhookStep,
    subscriptionStep,
    sourceStep,
    eventStep,
    eventStep,
    deletionStep,
    runStep,
    deliveryStep,
    cursorStep,
  ),
  { maxLength: 60 },
);

export function recordOf({ topic, type, data, emitterId, key = emitterId, ...step }: Step, number: number): LogRecord {
  const id = `rec_${number}`;
  const { at = 1_700_000_000_000 + number } = step;
  const record = { id, type, version: 1, key, data, at, workspace, correlationId: id, causationId: id };
  if (checkRecord(topic, record) !== undefined) throw new Error(`${type} cannot be used: complete it`);
  return record;
}

const partitionFor = ({ emitterId }: Step, partitions: number): number =>
  emitterId === '' ? 0 : partitionOf(emitterId, partitions);

/** The steps as a log would return them, in order; offsets have gaps. */
export function storedRecords(steps: readonly Step[], partitions: number): RecordOn[] {
  const next = new Map<string, number>();
  return steps.map((step, number) => {
    const partition = partitionFor(step, partitions);
    const key = positionKey(step.topic, partition);
    const offset = (next.get(key) ?? -1) + 1 + (number % 3);
    next.set(key, offset);
    return { ...recordOf(step, number), topic: step.topic, partition, offset } as RecordOn;
  });
}

/** Appends steps to a log through the writers of the stages that own their topics. */
export class GeneratedHistory {
  readonly #log: Log;
  readonly #writers = new Map<string, Writer>();
  #number = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  async append(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const partition = partitionFor(step, this.#log.partitions);
      const record = recordOf(step, this.#number++);
      const outgoing: Outgoing = { topic: step.topic, partition, record };
      const writer = await this.#writerOf(step.topic, partition);
      await writer.append([outgoing], {});
    }
  }

  async #writerOf(topic: TopicName, partition: number): Promise<Writer> {
    const ofDelivery = topic === 'deliveries' || topic === 'cursors';
    const stage = ofDelivery ? 'delivery' : topic === 'channels' || topic === 'runs' ? 'runtime' : 'lifecycle';
    const owned = stage === 'lifecycle' ? 0 : partition;
    const key = `${stage}/${owned}`;
    const writer = this.#writers.get(key) ?? (await this.#log.own(stage, owned));
    this.#writers.set(key, writer);
    return writer;
  }
}
