// The cost of signing a log, and of a page of history: the audit stage and the gateway's reader on a large log.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { viewDefinitions } from '../../../libs/domain/views/index.ts';
import type { Outgoing } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { AuditStage } from '../../../libs/stages/audit/audit.stage.ts';
import { HistoryReader } from '../../../libs/stages/gateway/history/history-reader.ts';
import type { Question } from '../../../libs/stages/gateway/history/question.ts';
import { StageLoop } from '../../../libs/stages/loop/stage-loop.ts';
import { MemoryViewStore } from '../../../libs/view-store/view-store.fake.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { until } from '../../support/until.ts';
import { figure, medianOf, quantile } from '../report/figure.ts';
import { questions } from './questions.ts';
import type { Bench, Figure } from '../report/figure.ts';

/** `--size 10000000` fills 3 GB and takes some minutes. */
const recordsDefault = 500_000;
const seedBatch = 5_000;
const partitions = 4;
const workspace = 'o_0000000000000000';
const baseTime = Date.parse('2026-06-01T00:00:00Z');
/** Time between two records. */
const everyMs = 10;
const pages = 50;
const pageMsMax = 1_000;
const signedMs = 600_000;

export const auditStage: Bench = { name: 'audit.stage', runs: 1, run: ({ size }) => run(size ?? recordsDefault) };

async function run(size: number): Promise<readonly Figure[]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'audit-')));
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions });
  try {
    const records = await seedLog(log, size);
    return [await measureSigning(log, records), ...(await measurePages(log, records))];
  } finally {
    await log.close();
    rmSync(directory, { recursive: true });
  }
}

/** Fills the log; returns the number of its records. */
async function seedLog(log: SqliteLog, size: number): Promise<number> {
  let n = 0;
  for (let partition = 0; partition < partitions; partition++) {
    const runtime = await log.own('runtime', partition);
    for (let at = 0; at < size / partitions; at += seedBatch) {
      const batch = Array.from({ length: seedBatch }, (_, i) =>
        eventRecord(n++, partition, baseTime + (at + i) * everyMs),
      );
      await runtime.append(batch, {});
    }
  }
  return n;
}

function eventRecord(n: number, partition: number, at: number): Outgoing {
  const id = `rec_${String(n).padStart(16, '0')}`;
  const key = `dc_000000000000000${partition}`;
  const data = { emitterId: key, eventId: `${at}-${n}`, channel: '', event: { order: n, note: 'x'.repeat(150) } };
  const envelope = { id, type: 'EventEmitted', version: 1, key, at, workspace, correlationId: `req_${n}/key_1` };
  return { topic: 'channels', partition, record: { ...envelope, causationId: `req_${n}`, data } };
}

/** Time from the stage's start until checkpoints cover all records, including the reads of the log. */
async function measureSigning(log: SqliteLog, records: number): Promise<Figure> {
  const fail = (error: unknown): never => {
    throw new Error('audit failed', { cause: error });
  };
  const ambient = { now: () => Date.now(), randomBytes: (bytes: number) => randomBytes(bytes) };
  const stage = new AuditStage({ masterKey: Buffer.alloc(32, 1), ambient, checkpointMs: 1_000 });
  const loop = new StageLoop(stage, log, pino({ level: 'silent' }));
  const before = process.cpuUsage();
  loop.start(fail);
  await until('all records to be signed', async () => (await countSigned(log)) >= records, signedMs, 100);
  const { user, system } = process.cpuUsage(before);
  await loop.stop(5_000);
  return figure('audit.stage', (records * 1e6) / (user + system), 'records/s of a core');
}

async function countSigned(log: SqliteLog): Promise<number> {
  const counts = new Map<string, number>();
  const { records } = await log.read('trees', 0, 0, { recordsMax: 1_000, bytesMax: 16 * 1024 * 1024 });
  for (const { key, data } of records) counts.set(key, (data as { readonly count?: number } | undefined)?.count ?? 0);
  return [...counts].reduce((sum, [key, count]) => sum + (key.startsWith('channels/') ? count : 0), 0);
}

/** Reads pages from times all over the log, and a first page of every kind of query that finds nothing. */
async function measurePages(log: SqliteLog, records: number): Promise<readonly Figure[]> {
  const views = new MemoryViewStore(viewDefinitions);
  const reader = new HistoryReader({ log, views: () => views.live(), heartbeatMs: () => 15_000, onFault: () => {} });
  const lastsMs = (records / partitions) * everyMs;
  const pageTimes: number[] = [];
  const emptyPageTimes: number[] = [];
  const page = async (question: Question, into: number[]): Promise<void> => {
    const startedAt = performance.now();
    await reader.page(await reader.startPosition(question, undefined), { question, limit: 100 });
    into.push(performance.now() - startedAt);
  };
  for (let n = 0; n < pages; n++) {
    const from = Math.floor(baseTime + (n * lastsMs) / pages);
    await page({ workspace, from }, pageTimes);
  }
  for (const question of questions(workspace, baseTime, baseTime + lastsMs)) await page(question, emptyPageTimes);
  const goal = `<= ${pageMsMax} ms`;
  return [
    figure('audit.page.p50', medianOf(pageTimes), 'ms', goal),
    figure('audit.page.p99', quantile(pageTimes, 0.99), 'ms', goal),
    figure('audit.page.empty.max', Math.max(...emptyPageTimes), 'ms', goal),
  ];
}
