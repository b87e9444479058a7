// The thread that writes the views, so that neither a commit nor a checkpoint's sync holds up HTTP or delivery.
import type Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import { planViews } from '../../catalog.ts';
import { BuildWriter } from './build-writer.ts';
import { metInUse } from '../sqlite-errors.ts';
import { claimLayout, connect } from '../file.ts';
import { dropSome } from '../tables/drop-build.ts';
import { createBuild, markLive } from '../tables/schema.ts';
import { unpackRows } from './rows.ts';
import { more, type Answer, type Asked, type Failure, type Job, type WriterStart } from './writer-jobs.ts';

/** Readers take no lock in WAL mode, so a wait means trouble outside; short enough that the caller learns of it. */
const busyTimeoutMs = 5_000;
/** The size to which the WAL file is cut after a large transaction. */
const walKeptBytes = 64 * 1024 * 1024;
/** How long one step of a drop works, before its commit: as long as a put or two. */
const dropStepMs = 20;

const { file, definitions } = workerData as WriterStart;
const plans = planViews(definitions);
const database: Database.Database = connect(file, busyTimeoutMs);
database.pragma(`journal_size_limit = ${walKeptBytes}`);
claimLayout(database);
const writers = new Map<string, BuildWriter>();
const saveCheckpoint = database.prepare('UPDATE builds SET checkpoint = ? WHERE name = ?');

function writerOf(build: string): BuildWriter {
  const known = writers.get(build);
  if (known !== undefined) return known;
  const writer = new BuildWriter(database, build, plans);
  writers.set(build, writer);
  return writer;
}

function dropStep(build: string): boolean {
  const until = performance.now() + dropStepMs;
  return database.transaction(() => dropSome(database, build, () => performance.now() < until))();
}

function carryOut(job: Job): string {
  switch (job.kind) {
    case 'put':
      writerOf(job.build).put(unpackRows(job.rows));
      return '';
    case 'remove':
      return String(writerOf(job.build).remove(job.view, job.range, job.limit));
    case 'checkpoint':
      saveCheckpoint.run(job.positions, Number(job.build));
      return '';
    case 'begin':
      return database.transaction(() => createBuild(database, plans.values(), definitions))();
    case 'switch':
      markLive(database, job.build);
      return '';
    case 'drop':
      writers.delete(job.build);
      return dropStep(job.build) ? more : '';
    case 'close':
      database.close();
      return '';
  }
}

function failureOf(error: unknown): Failure {
  const known = metInUse(error, file);
  if (known instanceof PortError) return { code: known.code, message: known.message };
  return { code: undefined, message: known instanceof Error ? known.message : String(known) };
}

function answer({ number, job }: Asked): Answer {
  try {
    return { number, result: carryOut(job) };
  } catch (error) {
    return { number, result: '', failure: failureOf(error) };
  }
}

parentPort?.on('message', (asked: Asked) => {
  parentPort?.postMessage(answer(asked));
  if (asked.job.kind === 'close') parentPort?.close();
});
