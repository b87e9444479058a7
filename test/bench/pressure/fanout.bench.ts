// One source and a hundred webhooks: deliveries per second of the stage, against a bare loop over the same hosts.
import { EgressGuard } from '../../../libs/egress/index.ts';
import { until } from '../../support/until.ts';
import { UndiciWebhook } from '../../../libs/webhooks/index.ts';
import { startDelivery } from '../delivery/start-delivery.ts';
import { IsolationLog } from '../isolation/isolation-log.ts';
import { barePosts } from '../load/bare-posts.ts';
import { countingSink, type Sink } from '../load/counting-sink.ts';
import type { Bench, BenchOptions, Figure } from '../report/figure.ts';

const webhooks = 100;
const eventsDefault = 300;
/** Several seconds, in which V8 compiles both sides. */
const warmUpEvents = 300;
const bodyBytes = 1_000;
/** The most requests in flight of one webhook. */
const inFlight = 64;
const deadlineMs = 240_000;
/** Resolves every host name to this machine, so that each receiver is its own host. */
const guard = new EgressGuard(
  ['127.0.0.0/8'],
  {},
  { resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
);

export const fanout: Bench = { name: 'fanout', run };

async function run({ size = eventsDefault }: BenchOptions): Promise<readonly Figure[]> {
  const sink = await countingSink();
  try {
    const origins = Array.from({ length: webhooks }, (_, i) => `http://receiver${i}.example:${sink.port}`);
    const load = { inFlight, count: size * webhooks };
    await barePosts(guard, origins, { ...load, count: warmUpEvents * webhooks });
    // Before and after the deliveries, so that a machine that becomes busier affects both sides alike.
    const before = await barePosts(guard, origins, load);
    const value = await measureDelivered(sink, origins, size);
    const bound = (before + (await barePosts(guard, origins, load))) / 2;
    return [{ name: 'fanout', value, unit: 'deliveries/s', bound, ratio: value / bound, goal: '>= 0.6 of bound' }];
  } finally {
    await sink.end();
  }
}

async function measureDelivered(sink: Sink, origins: readonly string[], events: number): Promise<number> {
  const log = await IsolationLog.with(origins.map((url) => ({ url: `${url}/`, ordered: false, retrySchedule: null })));
  const loop = startDelivery(log.log, new UndiciWebhook({ guard }));
  /** Emits `count` events at once. */
  const emit = async (from: number, count: number): Promise<void> => {
    const expected = sink.acceptedCount() + count * origins.length;
    await log.emit(from, { perSecond: count * 1_000, seconds: 1 / 1_000, bytes: bodyBytes });
    await until('all deliveries', () => sink.acceptedCount() >= expected, deadlineMs, 5);
  };
  await emit(1, warmUpEvents);
  const startedAt = performance.now();
  await emit(1 + warmUpEvents, events);
  const ms = performance.now() - startedAt;
  await loop.stop(1_000);
  await log.close();
  return (events * origins.length * 1_000) / ms;
}
