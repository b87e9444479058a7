// Durable appends to the embedded log against bare transactions of better-sqlite3 with the same records, in one run.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { removeLater } from '../support/processes/left-behind.ts';
import type { Outgoing } from '../../libs/log/index.ts';
import type { Writer } from '../../libs/log/log.ts';
import { SqliteLog } from '../../libs/log/sqlite/sqlite-log.ts';
import type { Bench, Figure } from './report/figure.ts';

const recordsPerBatch = 100;
const recordBytes = 1024;
const inFlight = 8;
/** Both sides take turns, so that the disk's load affects both; the first turn is a warm-up and is not counted. */
const rounds = 6;
const batchesPerRound = 256;

export const logAppend: Bench = { name: 'log.append', run };

async function run(): Promise<readonly Figure[]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'log-append-')));
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: inFlight });
  const sqlite = bareSqlite(join(directory, 'bare.sqlite'));
  const bare = openSync(join(directory, 'bare'), 'w', 0o600);
  try {
    const writers: Writer[] = [];
    for (let p = 0; p < inFlight; p++) writers.push(await log.own('runtime', p));
    const spentMs = { bare: 0, sqlite: 0, sequential: 0, concurrent: 0 };
    for (let round = 0; round < rounds; round++) {
      const times = {
        bare: await measureMs(async () => writeBare(bare)),
        sqlite: await measureMs(async () => insertBare(sqlite)),
        sequential: await measureMs(() => append(writers.slice(0, 1))),
        concurrent: await measureMs(() => append(writers)),
      };
      if (round === 0) continue;
      for (const name of ['bare', 'sqlite', 'sequential', 'concurrent'] as const) spentMs[name] += times[name];
    }
    const bound = perSecond(spentMs.sqlite);
    const written = perSecond(spentMs.bare);
    const goal = '>= 0.85 of bound';
    return [
      figure('log.append', perSecond(spentMs.sequential), bound, goal),
      figure('log.append.concurrent', perSecond(spentMs.concurrent), bound, goal),
      figure('log.append.of-write-and-sync', perSecond(spentMs.sequential), written, null),
    ];
  } finally {
    sqlite.close();
    closeSync(bare);
    await log.close();
    rmSync(directory, { recursive: true });
  }
}

/** Appends the batches of one round, with one append in flight for each writer. */
async function append(writers: readonly Writer[]): Promise<void> {
  const appendBatches = async (writer: Writer): Promise<void> => {
    for (let batch = 0; batch < batchesPerRound / writers.length; batch++)
      await writer.append(batches[writer.partition] ?? [], { [`triggers/${writer.partition}`]: batch });
  };
  await Promise.all(writers.map(appendBatches));
}

function writeBare(descriptor: number): void {
  const bytes = Buffer.alloc(recordsPerBatch * recordBytes, 'x');
  for (let batch = 0; batch < batchesPerRound; batch++) {
    writeSync(descriptor, bytes);
    fdatasyncSync(descriptor);
  }
}

/** A database as in a program that only writes records to SQLite durably: one row each, one transaction a batch. */
function bareSqlite(file: string): Database.Database {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE records (id INTEGER PRIMARY KEY, line TEXT NOT NULL)');
  return db;
}

function insertBare(db: Database.Database): void {
  const line = 'x'.repeat(recordBytes);
  const insert = db.prepare('INSERT INTO records (line) VALUES (?)');
  const batch = db.transaction(() => {
    for (let record = 0; record < recordsPerBatch; record++) insert.run(line);
  });
  for (let n = 0; n < batchesPerRound; n++) batch.immediate();
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** For each partition a batch of records whose JSON text has exactly `recordBytes`. */
const batches = Array.from({ length: inFlight }, (_, partition) =>
  Array.from({ length: recordsPerBatch }, (__, i) => outgoing(partition, i)),
);

function outgoing(partition: number, index: number): Outgoing {
  const id = `rec_${String(index).padStart(16, '0')}`;
  const names = { id, type: 'EventEmitted', version: 1, key: `dc_${String(partition).padStart(16, '0')}` };
  const chain = { workspace: 'o_0000000000000000', correlationId: 'req_0000000000000000', causationId: id };
  const empty = { ...names, data: { event: '' }, at: 1_700_000_000_000, ...chain };
  const event = 'x'.repeat(recordBytes - Buffer.byteLength(JSON.stringify(empty)));
  return { topic: 'channels', partition, record: { ...empty, data: { event } } };
}

const perSecond = (ms: number): number => ((rounds - 1) * batchesPerRound * recordsPerBatch * 1000) / ms;

function figure(name: string, value: number, bound: number, goal: string | null): Figure {
  return { name, value, unit: 'records/s', bound, ratio: value / bound, goal };
}
