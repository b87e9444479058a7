// Delivery from the log to a sink, attempts and cursors durable, against a bare loop with the same pool and requests.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EgressGuard } from '../../libs/egress/index.ts';
import type { Log } from '../../libs/log/log.ts';
import { UndiciWebhook } from '../../libs/webhooks/index.ts';
import { until } from '../support/until.ts';
import type { Bench, Figure } from './report/figure.ts';
import type { Listening } from './load/answering-sink.ts';
import { barePosts } from './load/bare-posts.ts';
import { deliveryLog } from './delivery/delivery-log.ts';
import { startDelivery } from './delivery/start-delivery.ts';

interface Scenario {
  readonly ordered: boolean;
  readonly inFlight: number;
  readonly count: number;
  readonly goal: string;
}

const unordered: Scenario = { ordered: false, inFlight: 64, count: 30_000, goal: '>= 0.8 of bound' };
const ordered: Scenario = { ordered: true, inFlight: 1, count: 6_000, goal: '>= 0.85 of bound' };
/** Deliveries and posts before the measurement: several seconds, in which V8 compiles both sides. */
const warmUpCount = 30_000;
const spareCount = 2_000;
const guard = new EgressGuard(['127.0.0.0/8']);

export const deliveryUnordered: Bench = { name: 'delivery.unordered', run: () => run('delivery.unordered', unordered) };
export const deliveryOrdered: Bench = { name: 'delivery.ordered', run: () => run('delivery.ordered', ordered) };

export { deliveryIsolation } from './isolation/delivery-isolation.ts';

async function run(name: string, scenario: Scenario): Promise<readonly Figure[]> {
  const sink = fork(fileURLToPath(new URL(`./load/answering-sink${extname(import.meta.url)}`, import.meta.url)));
  try {
    const [{ port }] = (await once(sink, 'message')) as [Listening];
    const url = `http://127.0.0.1:${port}/`;
    const warmUp = { ...scenario, count: warmUpCount };
    await barePosts(guard, [url], warmUp);
    await measureDelivery(url, warmUp);
    // Before and after the deliveries, so that a machine that becomes busier affects both sides alike.
    const before = await barePosts(guard, [url], scenario);
    const value = await measureDelivery(url, scenario);
    const bound = (before + (await barePosts(guard, [url], scenario))) / 2;
    return [{ name, value, unit: 'deliveries/s', bound, ratio: value / bound, goal: scenario.goal }];
  } finally {
    await stopSink(sink);
  }
}

/**
 * Deliveries per second of the stage, from its start until `count` attempts are durable. More events than that wait, so
 * that it is still at full speed then: the last few alone would wait for the stage's quiet flush.
 */
async function measureDelivery(url: string, { ordered: inOrder, count }: Scenario): Promise<number> {
  const [log, close] = await deliveryLog(url, { ordered: inOrder }, count + spareCount);
  const startedAt = performance.now();
  const loop = startDelivery(log, new UndiciWebhook({ guard }));
  const durable = await until('the attempts to be durable', () => durableFrom(log, count), 60_000, 20);
  const perSecond = (durable * 1000) / (performance.now() - startedAt);
  await loop.stop(1_000);
  await close();
  return perSecond;
}

/** The number of durable attempts, once it is at least `count`. Offsets begin at 1, and one writer leaves no gaps. */
async function durableFrom(log: Log, count: number): Promise<number | undefined> {
  const durable = (await log.end('deliveries', 0)) - 1;
  return durable < count ? undefined : durable;
}

async function stopSink(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
