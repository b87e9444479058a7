// Ten times the sustained rate, then a normal load: how soon its latency is as before, and the memory meanwhile.
import { pause } from '../../support/until.ts';
import type { Answer, BusyPace, SteadyPace } from '../load/client-main.ts';
import { usageOfGroup } from '../load/process-group.ts';
import { acceptedOf } from '../load/traffic.ts';
import { warmUpSeconds } from '../load/warm-up.ts';
import { startChannels } from '../publish/channels.ts';
import type { Channels } from '../publish/channels.ts';
import { figure, quantile } from '../report/figure.ts';
import type { Bench, BenchOptions, Figure } from '../report/figure.ts';

const channels = 8;
const warmUp: BusyPace = { inFlight: 64, seconds: warmUpSeconds };
const busy: BusyPace = { inFlight: 64, seconds: 6 };
const overloadFactor = 10;
/** Events of the overload by default; its duration follows from the sustained rate. */
const sizeDefault = 100_000;
/** Far more than a client opens that waits for its answers. */
const sockets = 1_000;
/** A normal load, as a part of the sustained rate. */
const normalShare = 0.25;
const windowSeconds = 3;
/** Recovered: the p99 of a window is at most so many times that before the overload, or within `recoveredMs`. */
const recoveredFactor = 1.5;
const recoveredMs = 20;
const recoveryMsMax = 120_000;
const settleMs = 240_000;
const sampleMs = 250;

export const overload: Bench = { name: 'overload', runs: 1, run };

async function run({ size = sizeDefault }: BenchOptions): Promise<readonly Figure[]> {
  const setup = await startChannels(channels);
  try {
    await loadUntilArrived(setup, warmUp);
    const startedAt = performance.now();
    const sustained = ((await loadUntilArrived(setup, busy)).length * 1_000) / (performance.now() - startedAt);
    const normal: SteadyPace = { perSecond: Math.ceil(sustained * normalShare), seconds: windowSeconds };
    const before = await p99Of(setup, normal);
    const quietMiB = usageOfGroup(setup.product.pid).residentMiB;
    const seconds = Math.max(1, Math.round(size / (sustained * overloadFactor)));
    const memory = new PeakMemory(setup.product.pid);
    const answers = await load(setup, { perSecond: Math.ceil(sustained * overloadFactor), seconds, sockets });
    const accepted = acceptedOf(answers).length;
    const endedAt = performance.now();
    const after = await waitUntilRecovered(setup, normal, Math.max(before * recoveredFactor, recoveredMs));
    const recoverySeconds = (performance.now() - endedAt) / 1_000 - windowSeconds;
    const peakMiB = await memory.end();
    const taken = { name: 'overload.taken', value: accepted / seconds, bound: sustained, unit: 'events/s' };
    const peak = { name: 'overload.memory', value: peakMiB, bound: quietMiB, unit: 'MiB' };
    return [
      figure('overload.asked', answers.filter(([, status]) => status !== 0).length / seconds, 'requests/s'),
      { ...taken, ratio: taken.value / taken.bound, goal: '>= 0.8 of bound' },
      figure('overload.recovery', after === undefined ? Infinity : Math.max(0, recoverySeconds), 's', '<= 60 s'),
      {
        name: 'overload.p99',
        value: after ?? Infinity,
        bound: before,
        ratio: (after ?? Infinity) / before,
        unit: 'ms',
        goal: '<= 1.5 of bound',
      },
      { ...peak, ratio: peak.value / peak.bound, goal: null },
    ];
  } finally {
    await setup.stop();
  }
}

const load = ({ traffic, urls, apiKey }: Channels, pace: BusyPace | SteadyPace): Promise<readonly Answer[]> =>
  traffic.load(urls, pace, { batch: 1, apiKey });

/** Sends the load; returns the accepted answers once their events have arrived. */
async function loadUntilArrived(setup: Channels, pace: BusyPace | SteadyPace): Promise<readonly Answer[]> {
  const answers = acceptedOf(await load(setup, pace));
  await setup.traffic.waitUntilArrived(answers, settleMs);
  return answers;
}

/** The p99 of the time from the request to the arrival at the receiver. */
async function p99Of(setup: Channels, pace: SteadyPace): Promise<number> {
  const answers = await loadUntilArrived(setup, pace);
  const waits = answers.map(([n, , askedAt]) => (setup.traffic.arrivals.get(n) ?? Infinity) - askedAt);
  return quantile(waits, 0.99);
}

/** Measures windows until the p99 of one is within `withinMs`, and returns it. Undefined: none was, in time. */
async function waitUntilRecovered(setup: Channels, pace: SteadyPace, withinMs: number): Promise<number | undefined> {
  const deadline = performance.now() + recoveryMsMax;
  while (performance.now() < deadline) {
    const p99 = await p99Of(setup, pace);
    if (p99 <= withinMs) return p99;
  }
  return undefined;
}

/** Measures the highest memory of the product's processes until `end`. */
class PeakMemory {
  readonly #pid: number;
  readonly #sampling: Promise<void>;
  #peakMiB = 0;
  #isStopped = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#sampling = this.#sample();
  }

  async end(): Promise<number> {
    this.#isStopped = true;
    await this.#sampling;
    return this.#peakMiB;
  }

  async #sample(): Promise<void> {
    while (!this.#isStopped) {
      this.#peakMiB = Math.max(this.#peakMiB, usageOfGroup(this.#pid).residentMiB);
      await pause(sampleMs);
    }
  }
}
