// An older program on a newer log: whichever topic holds the newer record, whoever needs it stands red and drops nothing.
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../libs/client/index.ts';
import { flow, stageNames, topicNames } from '../../../libs/domain/flow.ts';
import type { StageName, TopicName } from '../../../libs/domain/flow.ts';
import { recordOf } from '../../../libs/domain/shape/samples.fake.ts';
import { knownVersion } from '../../../libs/domain/shape/verdict.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';
import { writeToLog } from '../../support/writing-log.ts';

interface Health {
  readonly status: string;
  readonly error?: Readonly<Record<string, { readonly message?: string }>>;
}

/** What a stage restores from, beside what its flow says that it reads. */
const restores: Readonly<Record<StageName, readonly TopicName[]>> = {
  gateway: [],
  lifecycle: ['workspaces', 'keys', 'sources', 'webhooks', 'subscriptions', 'answers', 'alerts', 'retention'],
  scheduler: ['schedules'],
  runtime: ['state', 'pending'],
  delivery: ['cursors', 'replays'],
  projection: [],
};

const needs = (stage: StageName, topic: TopicName): boolean =>
  [...flow[stage].reads, ...flow[stage].tails, ...restores[stage]].includes(topic);

const needed = topicNames
  .map((topic) => [topic, stageNames.filter((stage) => needs(stage, topic))] as const)
  .filter(([, stages]) => stages.length > 0);

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

test.each(needed)(
  'behind a newer record on %s wait, red, %j',
  async (topic, stages) => {
    const dataDir = await newDirectory();
    await cp(used.dataDir, dataDir, { recursive: true });
    const newer = recordOf('AnythingNew', { anything: 1 }, { version: knownVersion + 1, key: used.sourceId });
    await writeToLog(dataDir, [{ topic, record: newer }]);
    const product = await Product.on({ dataDir });
    try {
      product.spawn();
      const why = `${topic} holds records of version ${knownVersion + 1}; this program knows version ${knownVersion}: start the newer program`;
      const waiting = await until(`${stages} to stand behind ${topic}`, async () => {
        const reasons = await reasonsToBeRed(product);
        return stages.every((stage) => reasons[stage] !== undefined) ? reasons : undefined;
      });
      for (const stage of stages) expect(waiting[stage]).toBe(why);
    } finally {
      await product.remove();
    }
  },
  startMs,
);

/** By stage; empty while health is not red. */
async function reasonsToBeRed({ baseUrl }: Product): Promise<Readonly<Record<string, string | undefined>>> {
  const answer = await fetch(`${baseUrl}/health`).catch(() => undefined);
  if (answer?.status !== 503) return {};
  const { error = {} } = (await answer.json()) as Health;
  return Object.fromEntries(Object.entries(error).map(([stage, { message }]) => [stage, message]));
}
