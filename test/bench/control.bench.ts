// The cost of 10,000 idle sources, and of 100,000 with as many subscriptions: start, memory, deletion, and afterwards.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { partitionCount, topicNames, topics } from '../../libs/domain/flow.ts';
import type { TopicName } from '../../libs/domain/flow.ts';
import type { Log } from '../../libs/log/log.ts';
import { removeLater } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';
import { pause, until } from '../support/until.ts';
import { requestDeletes, seedSources, seedSubscriptions, withLog } from './control/seed.ts';
import { figure, medianOf } from './report/figure.ts';
import type { Bench, Figure } from './report/figure.ts';

const manySources = 100_000;
const idleSources = 10_000;
/** Subscriptions of one webhook, which is deleted. */
const deletedSubscriptions = 20_000;
/** Time for the garbage collection of what the start has read. */
const quietMs = 15_000;
const pollMs = 5;
/** Sources that the service for comparison with `manySources` has had, and how often both are started. */
const fewSources = 100;
const startCount = 5;
/** Tombstones are kept for one to two minutes, and then removed by upkeep. */
const tombstonesMs = 180_000;
/** Deadline of unmeasured steps, on a busy machine. */
const stepDeadlineMs = 600_000;
const MiB = 1024 * 1024;

export const benches: readonly Bench[] = [
  { name: 'control.idle', runs: 1, run: () => withProduct(measureIdle) },
  { name: 'control.standing', runs: 1, run: () => withProduct(measureSubscribed) },
  { name: 'control.emptied', runs: 1, run: () => withProduct(measureEmptied) },
];

interface PreparedProduct {
  readonly product: Product;
  readonly client: Client;
  readonly workspace: string;
  readonly empty: StartCost;
}

/** Calls `measure` with a product that was started once and is stopped. */
async function withProduct(
  measure: (prepared: PreparedProduct) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const dataDir = removeLater(await mkdtemp(join(tmpdir(), 'control-')));
  const product = await Product.start({ dataDir });
  try {
    const client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
    await product.stop();
    const workspace = await workspaceOf(dataDir);
    return await measure({ product, client, workspace, empty: await measureStart(product) });
  } finally {
    await product.kill();
    await rm(dataDir, { recursive: true });
  }
}

/** Measures start and memory with deployed sources that do nothing. */
async function measureIdle({ product, client, workspace, empty }: PreparedProduct): Promise<readonly Figure[]> {
  await withLog(product.dataDir, (log) => seedSources(log, workspace, idleSources));
  await product.start();
  await until('the sources to be shown', () => hasTotal(client, 'sources', idleSources), stepDeadlineMs, 200);
  await product.stop();
  const { startMs, mib } = await measureStart(product);
  return [
    figure('control.idle.start', startMs, 'ms', `empty ${Math.round(empty.startMs)} ms`),
    figure('control.idle.memory', mib - empty.mib, 'MiB', `above an empty service, of ${Math.round(empty.mib)} MiB`),
  ];
}

async function measureSubscribed({ product, client, workspace, empty }: PreparedProduct): Promise<readonly Figure[]> {
  const { dataDir } = product;
  const ids = await withLog(dataDir, (log) => seedSources(log, workspace, manySources));
  await product.start();
  await until('the sources to be shown', () => hasTotal(client, 'sources', manySources), stepDeadlineMs, 200);
  const keptWebhook = await client.createWebhook({ url: 'http://127.0.0.1:9/kept' });
  const deletedWebhook = await client.createWebhook({ url: 'http://127.0.0.1:9/gone' });
  await product.stop();
  const sources = await measureStart(product);

  await withLog(dataDir, async (log) => {
    await seedSubscriptions(log, {
      workspace,
      listenerId: deletedWebhook.id,
      sourceIds: ids.slice(0, deletedSubscriptions),
    });
    await seedSubscriptions(log, { workspace, listenerId: keptWebhook.id, sourceIds: ids.slice(deletedSubscriptions) });
  });
  await product.start();
  await until(
    'the subscriptions to be shown',
    () => hasTotal(client, 'subscriptions', manySources),
    stepDeadlineMs,
    200,
  );
  await product.stop();
  const all = await measureStart(product);

  await product.start();
  await pause(quietMs);
  const deleting = await deleteWebhook(product, client, deletedWebhook.id);
  return [
    figure('control.start', all.startMs, 'ms', `<= 10,000 ms; empty ${Math.round(empty.startMs)} ms`),
    figure('control.memory', all.mib - empty.mib, 'MiB', '<= 400 MiB above an empty service'),
    figure('control.memory.subscriptions', all.mib - sources.mib, 'MiB', '<= 64 MiB above without them'),
    figure('control.delete', deleting.answeredMs, 'ms', '<= 2,000 ms'),
    figure('control.delete.health', deleting.healthMs, 'ms', '<= 100 ms at most'),
  ];
}

/** Compares with a service that has had a few, because one record stays for each partition that was ever used. */
async function measureEmptied(prepared: PreparedProduct): Promise<readonly Figure[]> {
  const few = await measureAfterDeletes(prepared, fewSources);
  const many = await measureAfterDeletes(prepared, manySources);
  return [
    comparisonFigure('control.emptied.start', many.startMs, few.startMs, 'ms'),
    comparisonFigure('control.emptied.rows', many.rows, few.rows, 'rows'),
  ];
}

/** Creates the sources and deletes all of them through the log, as fast as the lifecycle stage decides. */
async function measureAfterDeletes(
  { product, client, workspace }: PreparedProduct,
  count: number,
): Promise<AfterDeletes> {
  const { dataDir } = product;
  const ids = await withLog(dataDir, (log) => seedSources(log, workspace, count));
  await product.start();
  const { id } = await client.createWebhook({ url: 'http://127.0.0.1:9/' });
  const { id: last } = await client.createWebhook({ url: 'http://127.0.0.1:9/last' });
  await product.stop();
  await withLog(dataDir, async (log) => {
    await seedSubscriptions(log, { workspace, listenerId: id, sourceIds: ids });
    await requestDeletes(log, { workspace, sourceIds: ids, webhookIds: [id, last] });
  });
  await product.start();
  for (const what of ['webhooks', 'sources', 'subscriptions'] as const)
    await until(`the ${what} to be gone`, () => hasTotal(client, what, 0), stepDeadlineMs, 200);
  await pause(tombstonesMs);
  await product.stop();
  const startsMs: number[] = [];
  for (let at = 0; at < startCount; at++) startsMs.push((await measureStart(product, 0)).startMs);
  return {
    startMs: medianOf(startsMs),
    rows: await countCompactedRows(dataDir),
  };
}

interface AfterDeletes {
  readonly startMs: number;
  readonly rows: number;
}

const comparisonFigure = (name: string, value: number, bound: number, unit: string): Figure => ({
  name,
  value,
  bound,
  unit,
  ratio: value / bound,
  goal: '<= 1.1 of bound',
});

interface StartCost {
  readonly startMs: number;
  readonly mib: number;
}

/** Starts a stopped product, measures the time until it is healthy and its memory once it is quiet, and stops it. */
async function measureStart(product: Product, restMs = quietMs): Promise<StartCost> {
  const startedAt = performance.now();
  await product.start();
  const startMs = performance.now() - startedAt;
  await pause(restMs);
  const mib = await residentMiB(product.pid);
  await product.stop();
  return { startMs, mib };
}

async function residentMiB(pid: number): Promise<number> {
  const [, pages = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(pages) * 4_096) / MiB;
}

async function hasTotal(
  client: Client,
  what: 'webhooks' | 'sources' | 'subscriptions',
  count: number,
): Promise<boolean> {
  const { page_info } = await client[what]({ limit: 1 });
  return page_info.total_count === count;
}

interface DeleteTiming {
  readonly answeredMs: number;
  /** The longest answer of `/health` until all is removed. */
  readonly healthMs: number;
}

async function deleteWebhook(product: Product, client: Client, webhookId: string): Promise<DeleteTiming> {
  let healthMs = 0;
  const removal = new AbortController();
  const healthWatch = (async () => {
    while (!removal.signal.aborted) {
      const askedAt = performance.now();
      await (await fetch(`${product.baseUrl}/health`)).arrayBuffer();
      healthMs = Math.max(healthMs, performance.now() - askedAt);
      await pause(pollMs);
    }
  })();
  const startedAt = performance.now();
  await client.deleteWebhook(webhookId);
  const answeredMs = performance.now() - startedAt;
  await until(
    'its subscriptions to be gone',
    () => hasTotal(client, 'subscriptions', manySources - deletedSubscriptions),
    stepDeadlineMs,
    200,
  );
  removal.abort();
  await healthWatch;
  return { answeredMs, healthMs };
}

function workspaceOf(dataDir: string): Promise<string> {
  return withLog(dataDir, async (log) => {
    const { records } = await log.read('workspaces', 0, 0, { recordsMax: 1, bytesMax: 1 });
    const [first] = records;
    if (first === undefined) throw new Error('a product that was started has a workspace');
    return first.workspace;
  });
}

const compacted = topicNames.filter((name) => topics[name].compacted);

/** Counts the records on the compacted topics of a stopped product, tombstones included. */
function countCompactedRows(dataDir: string): Promise<number> {
  return withLog(dataDir, async (log) => {
    const topicPartitions = compacted.flatMap((topic) =>
      Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => ({ topic, partition })),
    );
    let rows = 0;
    for (const { topic, partition } of topicPartitions) rows += await countRows(log, topic, partition);
    return rows;
  });
}

async function countRows(log: Log, topic: TopicName, partition: number): Promise<number> {
  let rows = 0;
  for (let from = 0; ;) {
    const page = await log.read(topic, partition, from, { recordsMax: 10_000, bytesMax: 16 * MiB });
    rows += page.records.length;
    if (page.next <= from) return rows;
    from = page.next;
  }
}
