// An older program on a newer log: every stage that needs a topic with a newer record waits at it and is unhealthy.
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import { flow, stageNames, topicNames } from '../../../libs/domain/flow.ts';
import type { StageName, TopicName } from '../../../libs/domain/flow.ts';
import { recordOf } from '../../../libs/domain/record/samples.fake.ts';
import { knownVersion } from '../../../libs/domain/record/check-record.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';
import { writeToLog } from '../../support/stopped-log.ts';

interface Health {
  readonly status: string;
  readonly error?: Readonly<Record<string, { readonly message?: string }>>;
}

/** The topics that a stage restores from, besides those that flow.ts says it reads. */
const restores: Readonly<Record<StageName, readonly TopicName[]>> = {
  gateway: [],
  lifecycle: [
    ...(['workspaces', 'keys', 'sources', 'saved', 'webhooks', 'subscriptions', 'accounts'] as const),
    ...(['answers', 'alerts', 'retention'] as const),
  ],
  scheduler: ['schedules'],
  runtime: ['state', 'pending'],
  delivery: ['cursors', 'replays'],
  projection: [],
  audit: ['trees'],
};

const isNeededBy = (stage: StageName, topic: TopicName): boolean =>
  [...flow[stage].reads, ...flow[stage].tails, ...restores[stage]].includes(topic);

interface NeededTopic {
  readonly topic: TopicName;
  readonly stages: readonly StageName[];
}

const needed = topicNames
  .map((topic): NeededTopic => ({ topic, stages: stageNames.filter((stage) => isNeededBy(stage, topic)) }))
  .filter(({ stages }) => stages.length > 0);

/** Topics share a start when no stage needs two of them, so that each stage has one reason to be unhealthy. */
function groupByStart(all: readonly NeededTopic[]): readonly (readonly NeededTopic[])[] {
  const starts: NeededTopic[][] = [];
  for (const one of all) {
    const isFree = (other: NeededTopic): boolean => other.stages.every((stage) => !one.stages.includes(stage));
    const start = starts.find((others) => others.every(isFree));
    if (start === undefined) starts.push([one]);
    else start.push(one);
  }
  return starts;
}

const starts = groupByStart(needed).map(
  (all) => [all.map(({ topic, stages }) => `${topic} (${stages.join(', ')})`).join(', '), all] as const,
);

const startMs = 60_000;
const component =
  'module.exports = { name: "n", version: "0.0.1", props: { db: "$.service.db" }, run() { this.$emit(1); } };';
let used: { readonly dataDir: string; readonly sourceId: string };

const newDirectory = async (): Promise<string> => removeLater(await mkdtemp(join(tmpdir(), 'wellspring-newer-')));

beforeAll(async () => {
  const dataDir = await newDirectory();
  const product = await Product.start({ dataDir });
  const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  const { id } = await client.deploySource({ component_code: component });
  await product.stop();
  used = { dataDir, sourceId: id };
}, startMs);

test.each(starts)(
  'stages that need newer records on %s wait at them and are unhealthy',
  async (_, all) => {
    const dataDir = await newDirectory();
    await cp(used.dataDir, dataDir, { recursive: true });
    const record = recordOf('AnythingNew', { anything: 1 }, { version: knownVersion + 1, key: used.sourceId });
    await writeToLog(
      dataDir,
      all.map(({ topic }) => ({ topic, record })),
    );
    const product = await Product.create({ dataDir });
    try {
      product.spawn();
      const expected = Object.fromEntries(
        all.flatMap(({ topic, stages }) => stages.map((stage) => [stage, reasonFor(topic)])),
      );
      const waiting = await until(`${Object.keys(expected).join(', ')} to stand still`, async () => {
        const reasons = await readRedReasons(product);
        return Object.keys(expected).every((stage) => reasons[stage] !== undefined) && reasons;
      });
      expect(waiting).toMatchObject(expected);
    } finally {
      await product.remove();
    }
  },
  startMs,
);

const reasonFor = (topic: TopicName): string =>
  `${topic} holds records of version ${knownVersion + 1}; this program knows version ${knownVersion}: start the newer program`;

/** By stage; empty unless health is 503. */
async function readRedReasons({ baseUrl }: Product): Promise<Readonly<Record<string, string | undefined>>> {
  const answer = await fetch(`${baseUrl}/health`).catch(() => undefined);
  if (answer?.status !== 503) return {};
  const { error = {} } = (await answer.json()) as Health;
  return Object.fromEntries(Object.entries(error).map(([stage, { message }]) => [stage, message]));
}
