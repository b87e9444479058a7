// Rate and latency of publishing, from the request to the delivery, against a bare pipeline of the same parts.
import { BarePipeline } from '../bare/pipeline.ts';
import type { Answer, BusyPace, Publishing, SteadyPace } from '../load/client-main.ts';
import { acceptedOf } from '../load/traffic.ts';
import type { Traffic } from '../load/traffic.ts';
import { warmUpSeconds } from '../load/warm-up.ts';
import { figure, quantile, type Bench, type Figure } from '../report/figure.ts';
import { until } from '../../support/until.ts';
import { startChannels } from './channels.ts';

const channels = 8;
const seconds = 8;
/** The load at which latency is measured: what the fastest of the others sustains at half its load. */
const steady: SteadyPace = { perSecond: 435, seconds: 10 };
/** Time to deliver what was accepted beyond the sustained rate. */
const settleMs = 120_000;
/** Connections for each number of events in a request: enough to keep both sides busy. */
const batches = [
  { batch: 1, inFlight: 64, name: 'publish' },
  { batch: 100, inFlight: 8, name: 'publish.batches' },
] as const;

export const publishBench: Bench = { name: 'publish', run: measureThroughput };
export const publishLatencyBench: Bench = { name: 'publish.latency', run: measureLatency };

async function measureThroughput(): Promise<readonly Figure[]> {
  const setup = await startChannels(channels);
  const { traffic, urls, apiKey } = setup;
  const bare = await BarePipeline.start(
    { sources: channels, code: '', url: `${traffic.sinkUrl}/bare` },
    'publish-main',
  );
  try {
    const figures: Figure[] = [];
    for (const { batch, inFlight, name } of batches) {
      const publishing = { batch, apiKey };
      const measureRate = (to: readonly string[], forSeconds: number): Promise<number> =>
        perSecond(traffic, { to, pace: { inFlight, seconds: forSeconds }, publishing });
      for (const to of [bare.urls, urls]) await measureRate(to, warmUpSeconds);
      const bound = await measureRate(bare.urls, seconds);
      const value = await measureRate(urls, seconds);
      figures.push({ name, value, bound, ratio: value / bound, unit: 'events/s', goal: '>= 0.6 of bound' });
    }
    return figures;
  } finally {
    await bare.end();
    await setup.stop();
  }
}

interface PublishLoad {
  readonly to: readonly string[];
  readonly pace: BusyPace;
  readonly publishing: Publishing;
}

/** Arrived events, divided by the time from the first request to the last arrival, so that a backlog lowers it. */
async function perSecond(traffic: Traffic, { to, pace, publishing }: PublishLoad): Promise<number> {
  const startedAt = performance.timeOrigin + performance.now();
  const accepted = acceptedOf(await traffic.load(to, pace, publishing));
  const numbers = eventsOf(accepted, publishing.batch);
  await until('all that was accepted to arrive', () => numbers.every((n) => traffic.arrivals.has(n)), settleMs, 50);
  const lastAt = numbers.reduce((last, n) => Math.max(last, traffic.arrivals.get(n) ?? 0), startedAt);
  return (numbers.length * 1000) / (lastAt - startedAt);
}

const eventsOf = (answers: readonly Answer[], batch: number): readonly number[] =>
  answers.flatMap(([n]) => Array.from({ length: batch }, (_, i) => n + i));

async function measureLatency(): Promise<readonly Figure[]> {
  const { traffic, urls, apiKey, stop } = await startChannels(1);
  try {
    const publishing = { batch: 1, apiKey };
    await traffic.waitUntilArrived(
      await traffic.load(urls, { ...steady, seconds: warmUpSeconds }, publishing),
      settleMs,
    );
    const answers = await traffic.load(urls, steady, publishing);
    await traffic.waitUntilArrived(answers, settleMs);
    const answered = answers.map(([, , askedAt, answeredAt]) => answeredAt - askedAt);
    const delivered = answers.map(([n, , , answeredAt]) => (traffic.arrivals.get(n) ?? Infinity) - answeredAt);
    return [
      figure('publish.latency.p50', quantile(delivered, 0.5), 'ms', '<= 1 ms'),
      figure('publish.latency.p99', quantile(delivered, 0.99), 'ms', '<= 5 ms'),
      figure('publish.latency.answer.p50', quantile(answered, 0.5), 'ms'),
      figure('publish.latency.answer.p99', quantile(answered, 0.99), 'ms'),
    ];
  } finally {
    await stop();
  }
}
