// A log on disk with one healthy webhook, its neighbours, and a source that emits to all of them at a steady rate.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../../support/processes/left-behind.ts';
import type { Log, Outgoing, Writer } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { definitionsOf, eventRecord, firstRecords, outgoing, recordOf } from '../delivery/records.ts';
import type { WebhookSettings } from '../delivery/records.ts';

const sourceId = 'dc_0000000000000000';
/** The source of the dead hosts: one of its events waits for a retry at each of them. */
const deadSourceId = 'dc_1111111111111111';
const tickMs = 5;
const recordsPerAppend = 1_000;
/** Wait of the waiting retries: longer than any bench. */
const waitMs = 24 * 60 * 60 * 1_000;

export interface Listener extends WebhookSettings {
  /** One event of another source waits for a retry, and no others follow. */
  readonly dead?: true;
  /** How many events wait for a retry, which is not due before the bench ends. */
  readonly waiting?: number;
}

export class IsolationLog {
  readonly log: Log;
  readonly #directory: string;
  readonly #runtime: Writer;

  private constructor(log: Log, directory: string, runtime: Writer) {
    this.log = log;
    this.#directory = directory;
    this.#runtime = runtime;
  }

  static async with(listeners: readonly Listener[]): Promise<IsolationLog> {
    const directory = removeLater(mkdtempSync(join(tmpdir(), 'isolation-')));
    const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: 1 });
    const lifecycle = await log.own('lifecycle', 0);
    await lifecycle.append([...firstRecords(), ...listeners.flatMap(definitionsFor)], {});
    const runtime = await log.own('runtime', 0);
    const [offset = 1] = await runtime.append([event(deadSourceId, { n: 0, at: 0, pad: '' })], {});
    const delivery = await log.own('delivery', 0);
    const waiting = await emitFailed(runtime, Math.max(0, ...listeners.map(({ waiting: count = 0 }) => count)));
    const end = await log.end('channels', 0);
    const cursors = listeners.flatMap((listener, i) => [
      ...cursorsOf(listener, i, offset),
      ...retriesOf(listener, i, waiting, end),
    ]);
    const subscriptions = await log.end('subscriptions', 0);
    for (let from = 0; from === 0 || from < cursors.length; from += recordsPerAppend)
      await delivery.append(cursors.slice(from, from + recordsPerAppend), {
        'subscriptions/0': subscriptions,
        'channels/0': end,
      });
    await delivery.release();
    return new IsolationLog(log, directory, runtime);
  }

  /** Emits at a steady rate, independent of the duration of appends; events are numbered from `from` on. */
  async emit(from: number, { perSecond, seconds, bytes }: { perSecond: number; seconds: number; bytes: number }) {
    const pad = 'x'.repeat(bytes);
    const total = perSecond * seconds;
    const startedAt = performance.now();
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond));
      const at = performance.timeOrigin + performance.now();
      const events = Array.from({ length: due - sent }, (_, i) => event(sourceId, { n: from + sent + i, at, pad }));
      sent = due;
      if (events.length > 0) await this.#runtime.append(events, {});
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }

  async close(): Promise<void> {
    await this.log.close();
    rmSync(this.#directory, { recursive: true });
  }
}

const webhookIdOf = (i: number): string => `wh_${String(i).padStart(16, '0')}`;
const subscriptionIdOf = (i: number): string => `sub_${String(i).padStart(16, '0')}`;

function definitionsFor({ url, ordered, retrySchedule, dead }: Listener, i: number): readonly Outgoing[] {
  const emitterId = dead === true ? deadSourceId : sourceId;
  const subscribed = { webhookId: webhookIdOf(i), subscriptionId: subscriptionIdOf(i), emitterId, from: 0 };
  return definitionsOf({ url, ordered, retrySchedule }, subscribed);
}

/** The cursor of a dead listener: its event was tried once, and a retry is due. */
function cursorsOf({ dead }: Listener, i: number, offset: number): Outgoing[] {
  const subscriptionId = subscriptionIdOf(i);
  if (dead !== true) return [];
  const key = `${subscriptionId}/${deadSourceId}`;
  const open = [{ offset, sequence: 1, attempts: 1, dueAt: 0, waitMs: 0 }];
  const counters = { published: 1, delivered: 0, parked: 0, filtered: 0, expired: { gone: 0, retention: 0 } };
  const data = {
    subscriptionId,
    emitterId: deadSourceId,
    epoch: 1,
    next: offset + 1,
    open,
    counters,
    behindFrom: null,
  };
  return [outgoing('cursors', recordOf('CursorAdvanced', key, data))];
}

/** Emits events that fail; returns their offsets. */
async function emitFailed(runtime: Writer, count: number): Promise<readonly number[]> {
  const offsets: number[] = [];
  while (offsets.length < count) {
    const events = Array.from({ length: Math.min(recordsPerAppend, count - offsets.length) }, (_, i) =>
      event(sourceId, { n: -1 - offsets.length - i, at: 0, pad: '' }),
    );
    offsets.push(...(await runtime.append(events, {})));
  }
  return offsets;
}

/** The records of waiting retries: each event was tried once. */
function retriesOf({ waiting: count = 0 }: Listener, i: number, offsets: readonly number[], next: number): Outgoing[] {
  if (count === 0) return [];
  const target = { subscriptionId: subscriptionIdOf(i), emitterId: sourceId };
  const key = `${target.subscriptionId}/${target.emitterId}`;
  const counters = { published: count, delivered: 0, parked: 0, filtered: 0, expired: { gone: 0, retention: 0 } };
  const cursor = { ...target, epoch: 1, next, open: [], counters, behindFrom: null };
  const dueAt = Date.now() + waitMs;
  const retries = offsets.slice(0, count).map((offset, n) => {
    const sequence = n + 1;
    const data = { ...target, offset, sequence, attempts: 1, dueAt, waitMs };
    return outgoing('cursors', recordOf('RetryWaiting', `${key}/${sequence}`, data));
  });
  return [outgoing('cursors', recordOf('CursorAdvanced', key, cursor)), ...retries];
}

const event = (emitterId: string, body: { n: number; at: number; pad: string }): Outgoing =>
  eventRecord(emitterId, body.n, body);
