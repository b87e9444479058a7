// How long it takes to deliver the backlog of a receiver's outage once the receiver is back.
import { EgressGuard } from '../../../libs/egress/index.ts';
import { UndiciWebhook } from '../../../libs/webhooks/index.ts';
import { pause, until } from '../../support/until.ts';
import { deliveryLog } from '../delivery/delivery-log.ts';
import { startDelivery } from '../delivery/start-delivery.ts';
import { barePosts } from '../load/bare-posts.ts';
import { countingSink } from '../load/counting-sink.ts';
import type { Bench, BenchOptions, Figure } from '../report/figure.ts';

/** Ten minutes of 200 a second. */
const eventsDefault = 120_000;
/** Enough for several failed attempts: the backlog is measured, not the duration of the outage. */
const outageMs = 5_000;
/** The time between retries of the first event; one such wait is part of the figure. */
const retrySeconds = 2;
const retries = 20;
const bareCount = 6_000;
const deadlineMs = 600_000;
const guard = new EgressGuard(['127.0.0.0/8']);

export const drain: Bench = { name: 'drain', runs: 1, run };

async function run({ size = eventsDefault }: BenchOptions): Promise<readonly Figure[]> {
  const sink = await countingSink();
  try {
    const url = `http://127.0.0.1:${sink.port}/`;
    const load = { inFlight: 1, count: Math.min(size, bareCount) };
    await barePosts(guard, [url], load);
    const before = await barePosts(guard, [url], load);
    sink.setDown(true);
    const retrySchedule = Array.from({ length: retries }, () => retrySeconds);
    const [log, close] = await deliveryLog(url, { ordered: true, retrySchedule }, size);
    const loop = startDelivery(log, new UndiciWebhook({ guard }));
    await pause(outageMs);
    const acceptedBefore = sink.acceptedCount();
    sink.setDown(false);
    const backAt = performance.now();
    await until('all to be delivered', () => sink.acceptedCount() - acceptedBefore >= size, deadlineMs, 5);
    const seconds = (performance.now() - backAt) / 1_000;
    await loop.stop(1_000);
    await close();
    const bound = (before + (await barePosts(guard, [url], load))) / 2;
    const value = size / seconds;
    const name = `drain.${size}`;
    return [
      { name, value: seconds, unit: 's', bound: null, ratio: null, goal: size === eventsDefault ? '<= 60 s' : null },
      { name: `${name}.rate`, value, unit: 'deliveries/s', bound, ratio: value / bound, goal: '>= 0.8 of bound' },
    ];
  } finally {
    await sink.end();
  }
}
