// How late timers tick: ten thousand of 15 minutes and a thousand of one minute, in one process on the embedded log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { Trigger } from '../../libs/domain/source/messages.ts';
import type { SourceDefinition } from '../../libs/domain/source/definition/messages.ts';
import { partitionOf } from '../../libs/domain/flow.ts';
import type { LogRecord } from '../../libs/domain/message.ts';
import type { Outgoing } from '../../libs/log/index.ts';
import { SqliteLog } from '../../libs/log/sqlite/sqlite-log.ts';
import { StageLoop } from '../../libs/stages/loop/stage-loop.ts';
import { noAlerts } from '../../libs/stages/loop/alerts/alerts.ts';
import { SchedulerStage } from '../../libs/stages/scheduler/scheduler.stage.ts';
import { removeLater } from '../support/processes/left-behind.ts';
import { figure, quantile } from './report/figure.ts';
import type { Bench, Figure } from './report/figure.ts';

const partitions = 8;
const timers = [...Array.from({ length: 10_000 }, () => 900), ...Array.from({ length: 1_000 }, () => 60)] as const;
/** About 28 ticks are due in each second of it. */
const measuredMs = 20_000;
/** Ticks that are due in this time are not counted. */
const settleMs = 2_000;
const batchSize = 500;

export const timersBench: Bench = { name: 'timers', runs: 1, run };

async function run(): Promise<readonly Figure[]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'timers-')));
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions });
  const stage = new SchedulerStage({ ambient: { now: Date.now, randomBytes } });
  const loop = new StageLoop(stage, log, pino({ level: 'silent' }), { alerts: noAlerts });
  try {
    await defineTimers(log);
    const startedAt = performance.now();
    await loop.start((error) => {
      throw error;
    });
    await waitUntilScheduled(log);
    const startMs = performance.now() - startedAt;
    await delay(settleMs);
    const latenesses = await measureLateness(log);
    return [
      figure('timers.start', startMs, 'ms'),
      figure('timers.due', (latenesses.length * 1000) / measuredMs, 'per s'),
      figure('timers.late.p50', quantile(latenesses, 0.5), 'ms'),
      figure('timers.late.p99', quantile(latenesses, 0.99), 'ms', '<= 250 ms'),
      figure('timers.late.max', latenesses.at(-1) ?? 0, 'ms'),
    ];
  } finally {
    await loop.stop(0);
    await log.close();
    rmSync(directory, { recursive: true });
  }
}

/** Defines timers that were deployed over the last interval, so that their ticks are spread over the next one. */
async function defineTimers(log: SqliteLog): Promise<void> {
  const writer = await log.own('lifecycle', 0);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const outgoing = timers.map((intervalSeconds, index): Outgoing => {
    const sourceId = `dc_${String(index).padStart(16, '0')}`;
    const at = (nowSeconds + 5 - (index % intervalSeconds)) * 1000;
    const data: SourceDefinition['data'] = {
      sourceId,
      status: 'deployed',
      revision: 1,
      createdAt: at,
      madeBy: null,
      endpointKey: 'e',
      requestedName: null,
      configuredProps: null,
      nameSlug: 'n',
      hooks: [],
      ended: [],
      console: [],
      http: null,
      timer: { intervalSeconds },
      codeFrom: 0,
      configuredFrom: 0,
    };
    return sourceRecord(sourceId, { type: 'SourceDefined', key: sourceId, at, data });
  });
  for (let from = 0; from < outgoing.length; from += batchSize)
    await writer.append(outgoing.slice(from, from + batchSize), {});
  const folded = Array.from({ length: partitions }, (_, partition) => ({
    ...sourceRecord('folded', { type: 'DefinitionsFolded', key: 'folded', at: 1, data: { format: 1 } }),
    partition,
  }));
  await writer.append(folded, {});
}

function sourceRecord(sourceId: string, record: Pick<LogRecord, 'type' | 'key' | 'at' | 'data'>): Outgoing {
  const id = `rec_${sourceId}`;
  const envelope = { id, version: 1, workspace: 'o_0000000000000000', correlationId: id, causationId: id };
  return { topic: 'sources', partition: partitionOf(sourceId, partitions), record: { ...envelope, ...record } };
}

async function waitUntilScheduled(log: SqliteLog): Promise<void> {
  for (let count = 0; count < timers.length; await delay(20)) {
    count = 0;
    for (let partition = 0; partition < partitions; partition++) {
      const bounds = { recordsMax: timers.length, bytesMax: 64 * 1024 * 1024 };
      count += (await log.read('schedules', partition, 0, bounds)).records.length;
    }
  }
}

/** For every measured tick, the ms from its due time until a reader of the log has it, in ascending order. */
async function measureLateness(log: SqliteLog): Promise<readonly number[]> {
  const from = await Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      return { topic: 'triggers', partition, offset: await log.end('triggers', partition) } as const;
    }),
  );
  const tail = log.tail(from, { recordsMax: 1_000, bytesMax: 1024 * 1024 });
  const latenesses: number[] = [];
  for (const end = performance.now() + measuredMs; performance.now() < end;) {
    for (const { records } of await tail.next(Math.max(1, end - performance.now()))) {
      const now = Date.now();
      for (const record of records) {
        const { timestamp } = (record as LogRecord as Trigger).data.event as { readonly timestamp: number };
        latenesses.push(now - timestamp * 1000);
      }
    }
  }
  await tail.close();
  return latenesses.sort((a, b) => a - b);
}
