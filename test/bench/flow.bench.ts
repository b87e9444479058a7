// Rate and latency of the whole flow, HTTP source -> isolate -> log -> webhook, against a bare pipeline of such parts.
import { Product } from '../support/product.ts';
import { BarePipeline } from './bare/pipeline.ts';
import type { Answer, BusyPace, SteadyPace } from './load/client-main.ts';
import { LoadSetup, component } from './load/load-setup.ts';
import { usageOfGroup } from './load/process-group.ts';
import { acceptedOf } from './load/traffic.ts';
import type { Traffic } from './load/traffic.ts';
import { warmUpSeconds } from './load/warm-up.ts';
import { figure, quantile, type Bench, type Figure } from './report/figure.ts';

const sources = 64;
const busy: BusyPace = { inFlight: 64, seconds: 8 };
const warmUp: BusyPace = { inFlight: 64, seconds: warmUpSeconds };
/** The load at which latency is measured. */
const steady: SteadyPace = { perSecond: 400, seconds: 10 };
/** Time to run and deliver what was accepted beyond the sustained rate. */
const settleMs = 60_000;

export const flowBench: Bench = { name: 'flow', run: flow };
export const latencyBench: Bench = { name: 'delivery.latency', run: latency };

async function flow(): Promise<readonly Figure[]> {
  const setup = await LoadSetup.start(await Product.start(), { sources, webhooks: 1 });
  const { traffic, product } = setup;
  const bare = await BarePipeline.start({ sources, code: component, url: `${traffic.sinkUrl}/bare` });
  try {
    const loadBare = (pace: BusyPace) => measureThroughput(traffic, bare.pid, () => traffic.load(bare.urls, pace));
    const loadProduct = (pace: BusyPace, to: number) =>
      measureThroughput(traffic, product.pid, () => setup.load(pace, to));
    await loadBare(warmUp);
    await loadProduct(warmUp, sources);
    const least = await loadBare(busy);
    const all = await loadProduct(busy, sources);
    const { residentMiB } = usageOfGroup(product.pid);
    const one = await loadProduct(busy, 1);
    return [
      comparisonFigure('flow', {
        value: all.perSecond,
        bound: least.perSecond,
        unit: 'events/s',
        goal: '>= 0.5 of bound',
      }),
      comparisonFigure('flow.cpu', { value: all.cpuMs, bound: least.cpuMs, unit: 'ms/event', goal: '<= 0.8 ms' }),
      comparisonFigure('flow.one-source', {
        value: one.perSecond,
        bound: all.perSecond,
        unit: 'events/s',
        goal: '>= 0.8 of bound',
      }),
      figure('flow.resident', residentMiB, 'MiB', '<= 500 MiB'),
    ];
  } finally {
    await bare.end();
    await setup.stop();
  }
}

interface Throughput {
  /** Arrived events, divided by the time from the first request to the last arrival. */
  readonly perSecond: number;
  /** Processor time of the process group for each event. */
  readonly cpuMs: number;
}

async function measureThroughput(
  traffic: Traffic,
  group: number,
  load: () => Promise<readonly Answer[]>,
): Promise<Throughput> {
  const before = usageOfGroup(group).cpuMs;
  const startedAt = performance.timeOrigin + performance.now();
  const accepted = acceptedOf(await load());
  await traffic.waitUntilArrived(accepted, settleMs);
  const lastAt = accepted.reduce((last, [n]) => Math.max(last, traffic.arrivals.get(n) ?? 0), startedAt);
  const cpuMs = (usageOfGroup(group).cpuMs - before) / accepted.length;
  return { perSecond: (accepted.length * 1000) / (lastAt - startedAt), cpuMs };
}

const comparisonFigure = (
  name: string,
  values: { value: number; bound: number; unit: string; goal: string },
): Figure => ({
  name,
  ratio: values.value / values.bound,
  ...values,
});

async function latency(): Promise<readonly Figure[]> {
  const setup = await LoadSetup.start(await Product.start());
  try {
    await setup.traffic.waitUntilArrived(await setup.load({ ...steady, seconds: warmUpSeconds }), settleMs);
    const answers = await setup.load(steady);
    await setup.traffic.waitUntilArrived(answers, settleMs);
    const waits = answers.map(([n, , , answeredAt]) => (setup.arrivals.get(n) ?? Infinity) - answeredAt);
    return [
      figure('delivery.latency.p50', quantile(waits, 0.5), 'ms', '<= 1.5 ms'),
      figure('delivery.latency.p99', quantile(waits, 0.99), 'ms', '<= 8 ms'),
    ];
  } finally {
    await setup.stop();
  }
}
