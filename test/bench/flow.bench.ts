// The whole way: HTTP source -> isolate -> log -> webhook; how much it sustains, how quick it is, and what it costs.
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { Cast } from './load/cast.ts';
import { usageOfGroup } from './load/process-group.ts';
import type { Answer } from './load/steady-client.ts';
import { figure, quantile, type Bench, type Figure } from './figure.ts';

const warmUp = { perSecond: 300, seconds: 4 };
/** Steps of the search for the maximum, each a fifth above the last. */
const searchFrom = 400;
const searchStep = 1.2;
const searchSeconds = 6;
/** A step is sustained when what it left to deliver takes no longer than this: less than a tenth of its length. */
const backlogSecondsMax = 0.5;
const measuredSeconds = 10;
/** The rate at which the latency figures are asked for. */
const latencyRate = 400;

export const flowBench: Bench = { name: 'flow', run: () => withCast(flow) };
export const latencyBench: Bench = { name: 'delivery.latency', run: () => withCast(latency) };

async function withCast(play: (cast: Cast<Product>) => Promise<Figure[]>): Promise<Figure[]> {
  const cast = await Cast.assemble(await Product.start());
  try {
    await settled(cast, await cast.load(warmUp.perSecond, warmUp.seconds));
    return await play(cast);
  } finally {
    await cast.dismiss();
  }
}

async function flow(cast: Cast<Product>): Promise<Figure[]> {
  const maximum = await search(cast);
  const half = Math.round(maximum / 2);
  const before = usageOfGroup(cast.product.pid);
  const answers = await cast.load(half, measuredSeconds);
  await settled(cast, answers);
  const after = usageOfGroup(cast.product.pid);
  const waits = sorted(answers.map(([n, , askedAt]) => (cast.arrivals.get(n) ?? Infinity) - askedAt));
  return [
    figure('flow.sustained', maximum, 'events/s'),
    figure('flow.latency.p50', quantile(waits, 0.5), 'ms'),
    figure('flow.latency.p99', quantile(waits, 0.99), 'ms'),
    figure('flow.cpu', (after.cpuMs - before.cpuMs) / answers.length, 'ms/event'),
    figure('flow.resident', after.residentMiB, 'MiB'),
  ];
}

async function latency(cast: Cast<Product>): Promise<Figure[]> {
  const answers = await cast.load(latencyRate, measuredSeconds);
  await settled(cast, answers);
  const waits = sorted(answers.map(([n, , , answeredAt]) => (cast.arrivals.get(n) ?? Infinity) - answeredAt));
  return [
    figure('delivery.latency.p50', quantile(waits, 0.5), 'ms', '<= 2 ms'),
    figure('delivery.latency.p99', quantile(waits, 0.99), 'ms', '<= 10 ms'),
  ];
}

/** The highest rate of the steps that left no growing backlog. */
async function search(cast: Cast<Product>): Promise<number> {
  let maximum = 0;
  for (let rate = searchFrom; ; rate = Math.round(rate * searchStep)) {
    const answers = await cast.load(rate, searchSeconds);
    const accepted = answers.filter(([, status]) => status === 200).length;
    const endedAt = performance.now();
    await settled(cast, answers);
    const backlogSeconds = (performance.now() - endedAt) / 1000;
    const asked = Math.max(...answers.map(([, , askedAt]) => askedAt)) - Math.min(...answers.map(([, , at]) => at));
    const kept = accepted === answers.length && backlogSeconds <= backlogSecondsMax && asked <= searchSeconds * 1_050;
    if (!kept) return maximum;
    maximum = rate;
  }
}

/** Every accepted event has arrived. */
function settled(cast: Cast<Product>, answers: readonly Answer[]): Promise<unknown> {
  const accepted = answers.filter(([, status]) => status === 200);
  return until('accepted events to arrive', () => accepted.every(([n]) => cast.arrivals.has(n)), 60_000);
}

const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);
