// A log on disk that holds one source's events and one subscription to them, as the other stages would have left it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../../support/processes/left-behind.ts';
import type { Log, Outgoing } from '../../../libs/log/log.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { definitionsOf, emitted, firstRecords } from './records.ts';

const sourceId = 'dc_0000000000000000';
const subscribed = {
  webhookId: 'wh_0000000000000000',
  subscriptionId: 'sub_0000000000000000',
  emitterId: sourceId,
} as const;
const batchRecords = 500;

/** Of the webhook. */
export interface Policy {
  readonly ordered: boolean;
  readonly retrySchedule?: readonly number[] | null;
}

/** With `count` events that wait for delivery to `url`. */
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

/** From what is emitted next on. */
export async function subscribe(log: Log, url: string, { ordered, retrySchedule = null }: Policy): Promise<void> {
  const lifecycle = await log.own('lifecycle', 0);
  const from = await log.end('channels', 0);
  const definitions = definitionsOf({ url, ordered, retrySchedule }, { ...subscribed, from });
  await lifecycle.append([...firstRecords(), ...definitions], {});
}

/** Event `n` of the source that is subscribed to. */
export const eventOfSource = (n: number): Outgoing => emitted(sourceId, n);
