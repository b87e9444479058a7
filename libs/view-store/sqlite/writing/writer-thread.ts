// The thread that writes the views, so that neither a commit nor a checkpoint's sync blocks HTTP or delivery.
import type Database from 'better-sqlite3';
import { parentPort, workerData } from 'node:worker_threads';
import { PortError } from '../../../domain/port-error.ts';
import { planViews } from '../../catalog.ts';
import { BuildWriter } from './build-writer.ts';
import { fromSqliteInUse } from '../sqlite-errors.ts';
import { claimLayout, connect } from '../file.ts';
import { dropPartially } from '../tables/drop-build.ts';
import { createBuild, markLive } from '../tables/schema.ts';
import { unpackRows } from './packed-rows.ts';
import {
  moreToDrop,
  type JobResponse,
  type JobRequest,
  type Failure,
  type Job,
  type WriterStart,
} from './writer-jobs.ts';

/** Readers take no lock in WAL mode, so a wait means outside trouble; short enough for the caller to learn of it. */
const busyTimeoutMs = 5_000;
/** The size to which the WAL file is cut after a large transaction. */
const walKeptBytes = 64 * 1024 * 1024;
/** The length of one step of a drop, before its commit: as long as a put or two. */
const dropStepMs = 20;

interface OpenedFile {
  readonly database: Database.Database;
  readonly saveCheckpoint: Database.Statement;
}

const { file, definitions } = workerData as WriterStart;
const plans = planViews(definitions);
const writers = new Map<string, BuildWriter>();
let opened: OpenedFile | undefined;

/** A file that cannot be used when the thread starts, on a full disk for example, might be usable at a later job. */
function open(): OpenedFile {
  if (opened !== undefined) return opened;
  const database = connect(file, busyTimeoutMs);
  try {
    database.pragma(`journal_size_limit = ${walKeptBytes}`);
    claimLayout(database);
    opened = {
      database,
      saveCheckpoint: database.prepare('UPDATE builds SET checkpoint = ?, held = ? WHERE name = ?'),
    };
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function writerOf(build: string): BuildWriter {
  const known = writers.get(build);
  if (known !== undefined) return known;
  const writer = new BuildWriter(open().database, build, plans);
  writers.set(build, writer);
  return writer;
}

function dropStep(build: string): boolean {
  const deadline = performance.now() + dropStepMs;
  const { database } = open();
  return database.transaction(() => dropPartially(database, build, () => performance.now() < deadline))();
}

function begin(): string {
  const { database } = open();
  return database.transaction(() => createBuild(database, plans.values(), definitions))();
}

function carryOut(job: Job): string {
  switch (job.kind) {
    case 'put':
      writerOf(job.build).put(unpackRows(job.rows));
      return '';
    case 'remove':
      return String(writerOf(job.build).remove(job.view, job.range, job.limit));
    case 'checkpoint':
      open().saveCheckpoint.run(job.positions, job.held, Number(job.build));
      return '';
    case 'begin':
      return begin();
    case 'switch':
      markLive(open().database, job.build);
      return '';
    case 'drop':
      writers.delete(job.build);
      return dropStep(job.build) ? moreToDrop : '';
    case 'close':
      opened?.database.close();
      return '';
  }
}

function failureOf(error: unknown): Failure {
  const translated = fromSqliteInUse(error, file);
  if (translated instanceof PortError) return { code: translated.code, message: translated.message };
  return { code: undefined, message: translated instanceof Error ? translated.message : String(translated) };
}

function respond({ number, job }: JobRequest): JobResponse {
  try {
    return { number, result: carryOut(job) };
  } catch (error) {
    return { number, result: '', failure: failureOf(error) };
  }
}

try {
  open();
} catch (error) {
  // Trouble with the disk occurs again in the first job, which reports it.
  if (!(fromSqliteInUse(error, file) instanceof PortError)) throw error;
}
parentPort?.on('message', (request: JobRequest) => {
  parentPort?.postMessage(respond(request));
  if (request.job.kind === 'close') parentPort?.close();
});
