// One small source among a million events of others: the bytes read for it, and the time to deliver its events.
import type { Bench, Figure } from '../report/figure.ts';
import { figure } from '../report/figure.ts';
import { eventRecord } from '../delivery/records.ts';
import { bytesOf, History, sourceOf } from './history.ts';

const othersCount = 1_000_000;
/** One event in so many is the source's own. */
const ownEvery = 1_000;
const otherSources = 1_000;
const own = sourceOf(0);

export const catchup: Bench = { name: 'catchup', runs: 1, run };

async function run(): Promise<readonly Figure[]> {
  const history = await History.begin();
  try {
    await history.emit(othersCount, (n) => (n % ownEvery === 0 ? own : sourceOf(1 + (n % otherSources))));
    await history.waitUntilRead();
    const count = Math.ceil(othersCount / ownEvery);
    const needed = bytesOf(Array.from({ length: count }, (_, n) => eventRecord(own, n * ownEvery).record));
    history.countReads();
    const startedAt = performance.now();
    const all = await history.subscribe('early', own);
    await history.waitUntilSent(all, count);
    const { readBytes } = history;
    const replayAt = performance.now();
    const again = await history.replay('early', own);
    await history.waitUntilSent(again, count);
    return [
      { ...figure('catchup', readBytes, 'bytes', '<= 2 of bound'), bound: needed, ratio: readBytes / needed },
      figure('catchup.begins', (all.firstAt ?? NaN) - startedAt, 'ms', '<= 1000 ms'),
      figure('catchup.replay-begins', (again.firstAt ?? NaN) - replayAt, 'ms', '<= 1000 ms'),
    ];
  } finally {
    await history.end();
  }
}
