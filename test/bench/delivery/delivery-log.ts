// Makes a log on disk with the events of one source and one subscription to it, as other stages would write them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../../support/processes/left-behind.ts';
import type { Log, Outgoing } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { definitionsOf, eventRecord, firstRecords } from './records.ts';

const sourceId = 'dc_0000000000000000';
const subscriptionIds = {
  webhookId: 'wh_0000000000000000',
  subscriptionId: 'sub_0000000000000000',
  emitterId: sourceId,
} as const;
const batchRecords = 500;

/** The webhook's policy. */
export interface Policy {
  readonly ordered: boolean;
  readonly retrySchedule?: readonly number[] | null;
}

/** Has `count` events that wait for delivery to `url`. */
export async function deliveryLog(url: string, policy: Policy, count: number): Promise<[Log, () => Promise<void>]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'delivery-')));
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions: 1 });
  await subscribe(log, url, policy);
  const runtime = await log.own('runtime', 0);
  for (let from = 0; from < count; from += batchRecords) {
    const numbers = Array.from({ length: Math.min(batchRecords, count - from) }, (_, i) => from + i);
    await runtime.append(numbers.map(eventOfSource), {});
  }
  const close = async (): Promise<void> => {
    await log.close();
    rmSync(directory, { recursive: true });
  };
  return [log, close];
}

/** Subscribes from the next emitted event on. */
export async function subscribe(log: Log, url: string, { ordered, retrySchedule = null }: Policy): Promise<void> {
  const lifecycle = await log.own('lifecycle', 0);
  const from = await log.end('channels', 0);
  const definitions = definitionsOf({ url, ordered, retrySchedule }, { ...subscriptionIds, from });
  await lifecycle.append([...firstRecords(), ...definitions], {});
}

/** Event `n` of the subscribed source. */
export const eventOfSource = (n: number): Outgoing => eventRecord(sourceId, n);
