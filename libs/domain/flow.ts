// The flow as data: which stage writes and reads which topic.

export const stageNames = ['gateway', 'lifecycle', 'scheduler', 'runtime', 'delivery', 'projection', 'audit'] as const;
export type StageName = (typeof stageNames)[number];

/**
 * How many partitions a topic has, and which one a record goes to. `emitter`: as many as every topic of this kind has, and
 * the one that the hash of an id names, usually a source's. `one`: a single one, for the control plane. `owned`: the
 * number of the partition that the stage owns.
 */
export type Partitioning = 'emitter' | 'one' | 'owned';

export interface Topic {
  readonly partitions: Partitioning;
  /** The writing stage, or `many` for a request topic. */
  readonly writer: StageName | 'many';
  /** Whether the log keeps only the newest record of each key. */
  readonly compacted: boolean;
  /** A description of the record key. */
  readonly key: string;
}

const topic = (partitions: Partitioning, writer: Topic['writer'], key: string, compacted = false): Topic => ({
  partitions,
  writer,
  compacted,
  key,
});

export const topics = {
  commands: topic('one', 'many', 'id of what the command is about'),
  triggers: topic('emitter', 'many', 'source id, workspace id, or subscription id'),
  requests: topic('emitter', 'many', 'subscription or webhook id'),
  workspaces: topic('one', 'lifecycle', 'workspace id'),
  keys: topic('one', 'lifecycle', 'workspace id', true),
  components: topic('emitter', 'lifecycle', 'source id'),
  saves: topic('emitter', 'lifecycle', 'saved component id'),
  listeners: topic('one', 'lifecycle', 'webhook or subscription id'),
  connections: topic('one', 'lifecycle', 'account id'),
  sources: topic('emitter', 'lifecycle', 'source id', true),
  saved: topic('emitter', 'lifecycle', 'saved component id', true),
  webhooks: topic('one', 'lifecycle', 'webhook id', true),
  subscriptions: topic('emitter', 'lifecycle', 'subscription id, or subscription id/`filter`', true),
  accounts: topic('one', 'lifecycle', 'account id', true),
  answers: topic('one', 'lifecycle', 'workspace, route and Idempotency-Key, hashed', true),
  alerts: topic('one', 'lifecycle', 'code/subject', true),
  retention: topic('one', 'lifecycle', '`retention`', true),
  schedules: topic('emitter', 'scheduler', 'source id', true),
  channels: topic('emitter', 'runtime', 'source id, or subscription id'),
  runs: topic('emitter', 'runtime', 'source id'),
  pending: topic('emitter', 'runtime', 'source id/number', true),
  hooks: topic('emitter', 'runtime', 'source id'),
  state: topic('emitter', 'runtime', 'source id, source id/ids/segment, or source id/bundle/revision', true),
  bundles: topic('emitter', 'runtime', 'hash of the bundle/part', true),
  stores: topic('emitter', 'runtime', 'store id, store id/slot, or `requests`', true),
  deliveries: topic('emitter', 'delivery', 'subscription id'),
  cursors: topic('emitter', 'delivery', 'subscription id, or subscription id/source id', true),
  replays: topic('emitter', 'delivery', 'replay id, or replay id/partition', true),
  indexes: topic('emitter', 'delivery', 'first offset/part', true),
  checkpoints: topic('one', 'audit', 'topic/partition'),
  trees: topic('one', 'audit', 'topic/partition, or `key`/key id', true),
  'marks.lifecycle': topic('owned', 'lifecycle', 'partition number', true),
  'marks.scheduler': topic('owned', 'scheduler', 'partition number', true),
  'marks.runtime': topic('owned', 'runtime', 'partition number', true),
  'marks.delivery': topic('owned', 'delivery', 'partition number', true),
  'marks.audit': topic('owned', 'audit', 'partition number', true),
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof topics;
export const topicNames = Object.keys(topics) as readonly TopicName[];
export type RequestTopic = 'commands' | 'triggers' | 'requests';

/** Topics subject to retention; the others are kept forever, or compacted. */
export const expiringTopics = [
  'triggers',
  'requests',
  'channels',
  'runs',
  'hooks',
  'deliveries',
] as const satisfies TopicName[];
export type ExpiringTopic = (typeof expiringTopics)[number];

/** Topics that keep their history and are signed. The others forget by design and follow from these. */
export const signedTopics = [
  'commands',
  'triggers',
  'requests',
  'workspaces',
  'components',
  'saves',
  'listeners',
  'connections',
  'channels',
  'runs',
  'hooks',
  'deliveries',
] as const satisfies TopicName[];
export type SignedTopic = (typeof signedTopics)[number];

export interface StageFlow {
  /** Read from a mark (or, by projection, from the views' checkpoint). */
  readonly reads: readonly TopicName[];
  /** Followed in memory from the beginning, without a mark. */
  readonly tails: readonly TopicName[];
  /** Followed from the topic's end at start, to see the outcomes of requests. */
  readonly awaits?: readonly TopicName[];
  /** Topics in which single records are looked up, at places that other topics name. */
  readonly looksUp: readonly TopicName[];
  readonly writes: readonly TopicName[];
  readonly requests: readonly RequestTopic[];
  /**
   * Request topics that the stage writes to outside its appends: for alerts, because a report of trouble must not wait
   * for the append that is in trouble, and for requests to data stores while a run waits for the answer.
   */
  readonly tells: readonly RequestTopic[];
  /** The partitioning by which processes own partitions of this stage. */
  readonly owns: Partitioning | 'nothing';
}

const stages = {
  gateway: {
    reads: [],
    tails: ['sources', 'webhooks', 'workspaces', 'keys', 'alerts'],
    awaits: ['components', 'saves', 'listeners', 'connections'],
    looksUp: [...signedTopics, 'checkpoints', 'trees'],
    writes: [],
    requests: ['commands', 'triggers', 'requests'],
    tells: ['commands'],
    owns: 'nothing',
  },
  lifecycle: {
    reads: ['commands', 'hooks'],
    tails: [],
    looksUp: ['components'],
    writes: [
      'workspaces',
      'keys',
      'components',
      'saves',
      'listeners',
      'connections',
      'sources',
      'saved',
      'webhooks',
      'subscriptions',
      'accounts',
      'answers',
      'alerts',
      'retention',
      'marks.lifecycle',
    ],
    requests: ['triggers'],
    tells: ['commands'],
    owns: 'one',
  },
  scheduler: {
    reads: ['sources', 'runs'],
    tails: [],
    looksUp: [],
    writes: ['schedules', 'marks.scheduler'],
    requests: ['triggers'],
    tells: ['commands'],
    owns: 'emitter',
  },
  runtime: {
    reads: ['sources', 'subscriptions', 'accounts', 'triggers', 'keys'],
    tails: [],
    looksUp: ['components', 'bundles'],
    writes: ['channels', 'runs', 'pending', 'hooks', 'state', 'bundles', 'stores', 'marks.runtime'],
    requests: [],
    tells: ['commands', 'triggers'],
    owns: 'emitter',
  },
  delivery: {
    reads: ['webhooks', 'subscriptions', 'requests', 'channels', 'keys', 'retention'],
    tails: [],
    looksUp: ['indexes'],
    writes: ['deliveries', 'cursors', 'replays', 'indexes', 'marks.delivery'],
    requests: ['commands', 'triggers', 'requests'],
    tells: ['commands'],
    owns: 'emitter',
  },
  projection: {
    reads: [
      'workspaces',
      'components',
      'saves',
      'listeners',
      'connections',
      'schedules',
      'channels',
      'pending',
      'runs',
      'deliveries',
      'replays',
      'cursors',
    ],
    tails: ['retention'],
    looksUp: [],
    writes: [],
    requests: [],
    tells: ['commands'],
    owns: 'nothing',
  },
  audit: {
    reads: [...signedTopics, 'subscriptions', 'retention'],
    tails: [],
    looksUp: [],
    writes: ['checkpoints', 'trees', 'marks.audit'],
    requests: ['triggers'],
    tells: ['commands'],
    owns: 'one',
  },
} as const satisfies Record<StageName, StageFlow>;

export const flow: Readonly<Record<StageName, StageFlow>> = stages;

/** A stage that owns partitions and has a mark for each. */
export type OwningStage = { [S in StageName]: (typeof stages)[S]['owns'] extends 'nothing' ? never : S }[StageName];
export const isOwning = (stage: StageName): stage is OwningStage => stages[stage].owns !== 'nothing';

/** The topics that a stage reads from a mark. */
export type Reads<S extends StageName> = (typeof stages)[S]['reads'][number];
/** The topics that a stage's append can have, besides its mark. */
export type Appends<S extends OwningStage> = Exclude<
  (typeof stages)[S]['writes' | 'requests'][number],
  `marks.${string}`
>;
/** The topics on which the gateway waits for outcomes, and all topics that it follows. */
export const { awaits: awaitedTopics, tails: tailedTopics } = stages.gateway;
export type AwaitedTopic = (typeof awaitedTopics)[number];
export type FollowedTopic = AwaitedTopic | (typeof tailedTopics)[number];

/** Stages that own one partition have one mark. */
const singleMarkTopics: ReadonlySet<TopicName> = new Set<TopicName>(['marks.lifecycle', 'marks.audit']);

/** How many partitions a topic has when partitioned topics have `sourcePartitions`. */
export function partitionCount(name: TopicName, sourcePartitions: number): number {
  return topics[name].partitions === 'one' || singleMarkTopics.has(name) ? 1 : sourcePartitions;
}

/** Every partition of every topic that a stage reads from a mark, in the order of the flow. */
export function inputsOf<S extends StageName>(
  stage: S,
  sourcePartitions: number,
): { readonly topic: Reads<S>; readonly partition: number }[] {
  const { reads }: { readonly reads: readonly Reads<S>[] } = stages[stage];
  return reads.flatMap((name) =>
    Array.from({ length: partitionCount(name, sourcePartitions) }, (_, partition) => ({ topic: name, partition })),
  );
}

/** The name of the hash, stored when the log is created: with another name the process refuses to start. */
export const partitionHash = 'fnv1a-32';

/** The partition of a source's records: FNV-1a, 32 bits, over the id's UTF-8 bytes, modulo the count. */
export function partitionOf(emitterId: string, sourcePartitions: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(emitterId, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % sourcePartitions;
}
