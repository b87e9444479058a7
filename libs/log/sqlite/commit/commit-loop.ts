// The commit thread's loop: commits all waiting orders as one, answers, and repeats; large appends are packed first.
import { existsSync } from 'node:fs';
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { PortError } from '../../../domain/port-error.ts';
import { sync } from '../file.ts';
import { addMissing, cachePagesMax, checkSettings, makeShrinkable } from '../schema.ts';
import { troubleOf } from '../sqlite-errors.ts';
import { Packing } from '../upkeep/packing.ts';
import { Shrinking } from '../upkeep/shrinking.ts';
import { Tombstones } from '../upkeep/tombstones.ts';
import { Trimming } from '../upkeep/trimming.ts';
import { Upkeep } from '../upkeep/upkeep.ts';
import { Checkpoints, walBytesMax } from './checkpoints.ts';
import { Committer } from './transaction/committer.ts';
import { LargeAppends } from './large-appends.ts';
import type { FromThread, Order, ReadyOrder, ThreadData, ToThread } from './order.ts';
import { packOutcome, unpackAppend } from './crossing/flat.ts';

/** Two appends of the largest size. A larger commit saves hardly any syncs and delays its first answers. */
const commitBytesMax = 16 * 1024 * 1024;
/** How long to wait for a lock of our own threads, or of people with tools of SQLite. Readers lock nothing. */
const busyTimeoutMs = 5_000;

type MakeCommitter = (db: Database.Database, file: string) => Committer;

export function runCommitLoop(
  port: MessagePort,
  data: ThreadData,
  makeCommitter: MakeCommitter = (db, file) => new Committer(db, file),
): void {
  const say = (message: FromThread): void => port.postMessage(message);
  const db = openLog(data, say);
  if (db === undefined) return port.close();
  const checkpoints = new Checkpoints(db, data.file);
  const committer = makeCommitter(db, data.file);
  const packing = new Packing(db, data.partitions);
  const chores = [new Tombstones(db), new Trimming(db), packing, new Shrinking(db)];
  const upkeep = new Upkeep(db, chores, () => checkpoints.committed());
  const large = new LargeAppends();
  const commit = (orders: readonly ReadyOrder[]): void => {
    if (orders.length === 0) return;
    const outcomes = committer.carryOut(orders);
    say({
      type: 'outcomes',
      outcomes: outcomes.map((one, i) => (orders[i]?.kind === 'append' ? packOutcome(one) : one)),
    });
    checkpoints.committed(orders);
    for (const order of orders) if (order.kind === 'append') packing.grown(order.topics);
    upkeep.committed();
  };
  /** Runs one step, then lets the event loop turn, so that new orders are committed between steps. */
  const step = (): void => {
    commit(large.step());
    if (!large.isEmpty) setImmediate(step);
  };
  const end = async (): Promise<void> => {
    while (!large.isEmpty) commit(large.step());
    upkeep.close();
    await checkpoints.close();
    db.close();
    port.close();
  };
  port.on('message', (first: readonly ToThread[]) => {
    const { orders, closing } = drain(port, first);
    const isStepping = !large.isEmpty;
    commit(large.admit(orders));
    if (!isStepping && !large.isEmpty) setImmediate(step);
    if (closing) void end();
  });
  say({ type: 'ready' });
}

function drain(port: MessagePort, first: readonly ToThread[]): { orders: readonly Order[]; closing: boolean } {
  const orders: Order[] = [];
  let bytes = 0;
  for (let messages: readonly ToThread[] | undefined = first; messages !== undefined;) {
    for (const message of messages) {
      if ('kind' in message && message.kind === 'close') return { orders, closing: true };
      const order = 'kind' in message ? message : unpackAppend(message);
      orders.push(order);
      bytes += order.bytes;
    }
    if (bytes >= commitBytesMax) break;
    messages = (receiveMessageOnPort(port) as { message: readonly ToThread[] } | undefined)?.message;
  }
  return { orders, closing: false };
}

/** Syncs commits that a killed process wrote without a sync: from now on they are read, so they must be durable. */
function syncRecovered(file: string): void {
  if (existsSync(`${file}-wal`)) sync(`${file}-wal`);
}

function openLog({ file, partitions }: ThreadData, say: (message: FromThread) => void): Database.Database | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true, timeout: busyTimeoutMs });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = ${cachePagesMax}`);
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`journal_size_limit = ${walBytesMax}`);
    checkSettings(db, file, partitions);
    makeShrinkable(db);
    addMissing(db);
    syncRecovered(file);
    return db;
  } catch (error) {
    db?.close();
    const trouble = troubleOf(error, file);
    if (!(trouble instanceof PortError)) throw trouble;
    say({ type: 'refused', code: trouble.code, message: trouble.message });
    return undefined;
  }
}
