// The commit thread's loop: commits all waiting orders as one, answers, and repeats; large appends are packed first.
import { existsSync } from 'node:fs';
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { PortError } from '../../../domain/port-error.ts';
import { syncToDisk } from '../file.ts';
import { addMissing, cachePagesMax, checkSettings, makeShrinkable } from '../schema.ts';
import { portErrorOf } from '../sqlite-errors.ts';
import { Packing } from '../upkeep/packing.ts';
import { Shrinking } from '../upkeep/shrinking.ts';
import { Tombstones } from '../upkeep/tombstones.ts';
import { Trimming } from '../upkeep/trimming.ts';
import { Upkeep } from '../upkeep/upkeep.ts';
import { Checkpoints, walBytesMax } from './checkpoints.ts';
import { Committer } from './transaction/committer.ts';
import { LargeAppends } from './large-appends.ts';
import type { CommitThreadReply, Order, ReadyOrder, ThreadData, CommitThreadMessage } from './order.ts';
import { packOutcome, unpackAppend } from './messages/flat-messages.ts';

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
  const send = (message: CommitThreadReply): void => port.postMessage(message);
  const db = openLog(data, send);
  if (db === undefined) return port.close();
  const checkpoints = new Checkpoints(db, data.file);
  const committer = makeCommitter(db, data.file);
  const packing = new Packing(db, data.partitions);
  const chores = [new Tombstones(db), new Trimming(db), packing, new Shrinking(db)];
  const upkeep = new Upkeep(db, chores, () => checkpoints.afterCommit());
  const largeAppends = new LargeAppends();
  const commit = (orders: readonly ReadyOrder[]): void => {
    if (orders.length === 0) return;
    const outcomes = committer.carryOut(orders);
    send({
      type: 'outcomes',
      outcomes: outcomes.map((outcome, i) => (orders[i]?.kind === 'append' ? packOutcome(outcome) : outcome)),
    });
    checkpoints.afterCommit(orders);
    for (const order of orders) if (order.kind === 'append') packing.countAppended(order.topics);
    upkeep.afterAppend();
  };
  /** Runs one step, then lets the event loop turn, so that new orders are committed between steps. */
  const step = (): void => {
    commit(largeAppends.step());
    if (!largeAppends.isEmpty) setImmediate(step);
  };
  const shutDown = async (): Promise<void> => {
    while (!largeAppends.isEmpty) commit(largeAppends.step());
    upkeep.close();
    await checkpoints.close();
    db.close();
    port.close();
  };
  port.on('message', (first: readonly CommitThreadMessage[]) => {
    const { orders, closing } = drain(port, first);
    const isStepping = !largeAppends.isEmpty;
    commit(largeAppends.admit(orders));
    if (!isStepping && !largeAppends.isEmpty) setImmediate(step);
    if (closing) void shutDown();
  });
  send({ type: 'ready' });
}

function drain(
  port: MessagePort,
  first: readonly CommitThreadMessage[],
): { orders: readonly Order[]; closing: boolean } {
  const orders: Order[] = [];
  let bytes = 0;
  for (let messages: readonly CommitThreadMessage[] | undefined = first; messages !== undefined;) {
    for (const message of messages) {
      if ('kind' in message && message.kind === 'close') return { orders, closing: true };
      const order = 'kind' in message ? message : unpackAppend(message);
      orders.push(order);
      bytes += order.bytes;
    }
    if (bytes >= commitBytesMax) break;
    messages = (receiveMessageOnPort(port) as { message: readonly CommitThreadMessage[] } | undefined)?.message;
  }
  return { orders, closing: false };
}

/** Syncs commits that a killed process wrote without a sync: from now on they are read, so they must be durable. */
function syncRecovered(file: string): void {
  if (existsSync(`${file}-wal`)) syncToDisk(`${file}-wal`);
}

function openLog(
  { file, partitions }: ThreadData,
  send: (message: CommitThreadReply) => void,
): Database.Database | undefined {
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
    const portError = portErrorOf(error, file);
    if (!(portError instanceof PortError)) throw portError;
    send({ type: 'refused', code: portError.code, message: portError.message });
    return undefined;
  }
}
