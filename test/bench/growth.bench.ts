// Appends and deliveries of an embedded log with two million records, and while they are deleted, against an empty one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EgressGuard } from '../../libs/egress/index.ts';
import type { Outgoing, Writer } from '../../libs/log/log.ts';
import { SqliteLog } from '../../libs/log/sqlite/sqlite-log.ts';
import { UndiciWebhook } from '../../libs/webhooks/index.ts';
import { removeLater } from '../support/processes/left-behind.ts';
import { pause, until } from '../support/until.ts';
import type { Bench, Figure } from './report/figure.ts';
import type { Listening } from './load/answering-sink.ts';
import { eventOfSource, subscribe } from './delivery/delivery-log.ts';
import { startDelivery } from './delivery/start-delivery.ts';

const recordsGrown = 2_000_000;
const seedBatch = 5_000;
const quietMs = 3_000;
const quietBytes = 1024 * 1024;
/** Both logs take turns, so that the machine's load affects both; the first turn is a warm-up and is not counted. */
const rounds = 8;
const appendsPerRound = 150;
const recordsPerAppend = 100;
const deliveriesPerRound = 6_000;

export const growth: Bench = { name: 'growth', runs: 1, run };

async function run(): Promise<readonly Figure[]> {
  const sink = fork(fileURLToPath(new URL(`./load/answering-sink${extname(import.meta.url)}`, import.meta.url)));
  const [{ port }] = (await once(sink, 'message')) as [Listening];
  const url = `http://127.0.0.1:${port}/`;
  const empty = await GrownLog.of(url, 0);
  const large = await GrownLog.of(url, recordsGrown);
  try {
    const append = (log: GrownLog): Promise<void> => log.append();
    return [
      await compareLogs('growth.append', append, {
        empty,
        large,
        perRound: appendsPerRound * recordsPerAppend,
        goal: 0.9,
      }),
      await compareLogs('growth.deliver', (log) => log.deliver(), {
        empty,
        large,
        perRound: deliveriesPerRound,
        goal: 0.9,
      }),
      await compareLogs('growth.append-while-given-up', append, {
        empty,
        large,
        perRound: appendsPerRound * recordsPerAppend,
        goal: 0.95,
        before: () => large.trimAll(),
      }),
    ];
  } finally {
    for (const log of [empty, large]) await log.remove();
    sink.disconnect();
    await once(sink, 'exit');
  }
}

interface Comparison {
  readonly empty: GrownLog;
  readonly large: GrownLog;
  /** Appends or deliveries of one round. */
  readonly perRound: number;
  readonly goal: number;
  readonly before?: () => Promise<void>;
}

async function compareLogs(
  name: string,
  work: (log: GrownLog) => Promise<void>,
  comparison: Comparison,
): Promise<Figure> {
  const { empty, large, perRound: each, goal } = comparison;
  const spentMs = new Map([empty, large].map((log) => [log, 0]));
  await work(empty);
  await work(large);
  await comparison.before?.();
  for (let round = 0; round < rounds; round++) {
    for (const log of round % 2 === 0 ? [empty, large] : [large, empty]) {
      const startedAt = performance.now();
      await work(log);
      spentMs.set(log, (spentMs.get(log) ?? 0) + performance.now() - startedAt);
    }
  }
  const perSecond = (log: GrownLog): number => (rounds * each * 1_000) / (spentMs.get(log) ?? NaN);
  const [value, bound] = [perSecond(large), perSecond(empty)];
  return { name, value, unit: 'records/s', bound, ratio: value / bound, goal: `>= ${goal} of bound` };
}

class GrownLog {
  readonly #log: SqliteLog;
  readonly #directory: string;
  readonly #runtime: Writer;
  #events = 0;

  private constructor(log: SqliteLog, directory: string, runtime: Writer) {
    this.#log = log;
    this.#directory = directory;
    this.#runtime = runtime;
  }

  /** Makes a log with `count` records before the subscription, half of them events, half runs. */
  static async of(url: string, count: number): Promise<GrownLog> {
    const directory = removeLater(mkdtempSync(join(tmpdir(), 'growth-')));
    const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: 1 });
    const runtime = await log.own('runtime', 0);
    for (let n = 0; n < count; n += seedBatch)
      await runtime.append(
        Array.from({ length: seedBatch }, (_, i) => smallRecord(i % 2 === 0 ? 'channels' : 'runs')),
        {},
      );
    await waitUntilPacked(log);
    await subscribe(log, url, { ordered: false });
    return new GrownLog(log, directory, runtime);
  }

  async append(): Promise<void> {
    const records = Array.from({ length: recordsPerAppend }, () => smallRecord('runs'));
    for (let n = 0; n < appendsPerRound; n++) await this.#runtime.append(records, {});
  }

  /** Starts the delivery stage; resolves once all attempts are durable. */
  async deliver(): Promise<void> {
    for (let n = 0; n < deliveriesPerRound; n += seedBatch) {
      const length = Math.min(seedBatch, deliveriesPerRound - n);
      await this.#runtime.append(
        Array.from({ length }, () => eventOfSource(this.#events++)),
        {},
      );
    }
    const webhook = new UndiciWebhook({ guard: new EgressGuard(['127.0.0.0/8']) });
    const loop = startDelivery(this.#log, webhook);
    const done = async (): Promise<boolean> => (await this.#log.end('deliveries', 0)) > this.#events;
    await until('the attempts to be durable', done, 120_000, 5);
    await loop.stop(1_000);
  }

  async trimAll(): Promise<void> {
    for (const topic of ['channels', 'runs'] as const) await this.#log.trim(topic, 0, await this.#log.end(topic, 0));
  }

  async remove(): Promise<void> {
    await this.#log.close();
    rmSync(this.#directory, { recursive: true });
  }
}

/** Resolves once upkeep has nothing left to do: a real log grows in months and is packed as it grows. */
async function waitUntilPacked(log: SqliteLog): Promise<void> {
  for (let before = Infinity, now = log.usedBytes; before - now > quietBytes; now = log.usedBytes) {
    before = now;
    await pause(quietMs);
  }
}

let recordCount = 0;

/** A record with 0.25 KB of JSON. */
function smallRecord(topic: 'channels' | 'runs'): Outgoing {
  const id = `rec_${String(recordCount++).padStart(16, '0')}`;
  const names = { id, type: 'EventEmitted', version: 1, key: 'dc_0000000000000001' };
  const chain = { workspace: 'o_0000000000000000', correlationId: id, causationId: id };
  const record = { ...names, data: { emitterId: names.key, channel: '' }, at: 1_700_000_000_000, ...chain };
  return { topic, partition: 0, record };
}
