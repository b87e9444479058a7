// The distributed engine on one machine with its servers, load and sink: sustained rate, latency, cost of each process.
import { Cluster } from '../../support/cluster/cluster.ts';
import { until } from '../../support/until.ts';
import { figure, quantile, type Bench, type Figure } from '../report/figure.ts';
import { LoadSetup } from '../load/load-setup.ts';
import type { SetupCounts } from '../load/load-setup.ts';
import { usageOfGroup } from '../load/process-group.ts';
import type { Usage } from '../load/process-group.ts';
import type { Answer } from '../load/client-main.ts';
import { acceptedOf } from '../load/traffic.ts';

/** A broker's JVM compiles for about a minute before it has its lasting speed. */
const warmUp = { perSecond: 100, seconds: 45 };
/** Factor between the rates that the search tries; then it tries half a step back. */
const searchStep = 1.2;
const searchSeconds = 10;
/** A rate is kept if the rest is delivered within this time after the load. */
const backlogSecondsMax = 1;
const settleMs = 120_000;
/** The part of the found rate that is asked for minutes, because the short steps of the search flatter. */
const sustainedShare = 0.85;
const sustainedSeconds = 180;
/** Duration of the measurement of latency at half of the sustained rate. */
const calmSeconds = 30;
/** A source uses one partition; so many most likely use all. */
const sources = 8;

interface Scenario {
  readonly name: string;
  readonly parts: SetupCounts;
  readonly searchFrom: number;
  readonly goals: { readonly events: string | null; readonly deliveries: string | null };
}

const oneToOne: Scenario = {
  name: 'distributed.flow',
  parts: { sources, webhooks: 1 },
  searchFrom: 400,
  goals: { events: '>= 1000 (floor 500)', deliveries: null },
};
const fanOut: Scenario = {
  name: 'distributed.fan-out',
  parts: { sources, webhooks: 10 },
  searchFrom: 80,
  goals: { events: null, deliveries: '>= 2500 (floor 1000)' },
};

const benchOf = (scenario: Scenario): Bench => ({
  name: scenario.name,
  engine: 'distributed',
  runs: 1,
  run: () => run(scenario),
});

export const distributedFlow = benchOf(oneToOne);
export const distributedFanOut = benchOf(fanOut);

async function run(scenario: Scenario): Promise<readonly Figure[]> {
  const setup = await LoadSetup.start(await Cluster.start(), scenario.parts);
  try {
    await waitUntilDelivered(setup, scenario, await setup.load(warmUp));
    const rate = Math.max(1, Math.round((await findMaximumRate(setup, scenario)) * sustainedShare));
    return [...(await measureSustained(setup, scenario, rate)), ...(await measureLatency(setup, scenario, rate / 2))];
  } finally {
    await setup.stop();
  }
}

async function measureSustained(
  setup: LoadSetup<Cluster>,
  scenario: Scenario,
  rate: number,
): Promise<readonly Figure[]> {
  const before = usages(setup.product);
  const deliveriesBefore = setup.deliveries;
  const startedAt = performance.now();
  const answers = await setup.load({ perSecond: rate, seconds: sustainedSeconds });
  const accepted = acceptedOf(answers);
  const [lagMs] = await Promise.all([projectionLag(setup, accepted), waitUntilDelivered(setup, scenario, answers)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { name, goals } = scenario;
  const costs = [...usages(setup.product)].flatMap(([process, usage]) => [
    figure(`${name}.cpu.${process}`, (usage.cpuMs - (before.get(process)?.cpuMs ?? 0)) / accepted.length, 'ms/event'),
    figure(`${name}.resident.${process}`, usage.residentMiB, 'MiB'),
  ]);
  return [
    figure(`${name}.sustained`, accepted.length / seconds, 'events/s', goals.events),
    figure(`${name}.deliveries`, (setup.deliveries - deliveriesBefore) / seconds, 'deliveries/s', goals.deliveries),
    figure(`${name}.refused`, answers.length - accepted.length, 'events'),
    ...latencies(`${name}.latency`, setup, accepted),
    figure(`${name}.projection.lag`, lagMs, 'ms'),
    ...costs,
  ];
}

async function measureLatency(setup: LoadSetup<Cluster>, scenario: Scenario, rate: number): Promise<readonly Figure[]> {
  const answers = await setup.load({ perSecond: Math.round(rate), seconds: calmSeconds });
  await waitUntilDelivered(setup, scenario, answers);
  return latencies(`${scenario.name}.latency.half`, setup, acceptedOf(answers));
}

/** The time from the acceptance of an event until the first byte of its first delivery. */
function latencies(name: string, setup: LoadSetup<Cluster>, accepted: readonly Answer[]): readonly Figure[] {
  const waits = accepted.map(([n, , , answeredAt]) => (setup.arrivals.get(n) ?? Infinity) - answeredAt);
  return [figure(`${name}.p50`, quantile(waits, 0.5), 'ms'), figure(`${name}.p99`, quantile(waits, 0.99), 'ms')];
}

/** Finds the highest rate without a growing backlog, to a tenth; 0 if the first has one. */
async function findMaximumRate(setup: LoadSetup<Cluster>, scenario: Scenario): Promise<number> {
  let maximum = 0;
  let rate = scenario.searchFrom;
  while (await keepsUp(setup, scenario, rate)) {
    maximum = rate;
    rate = Math.round(rate * searchStep);
  }
  const midpoint = Math.round(Math.sqrt(maximum * rate));
  return maximum > 0 && (await keepsUp(setup, scenario, midpoint)) ? midpoint : maximum;
}

async function keepsUp(setup: LoadSetup<Cluster>, scenario: Scenario, rate: number): Promise<boolean> {
  const startedAt = performance.now();
  const answers = await setup.load({ perSecond: rate, seconds: searchSeconds });
  await waitUntilDelivered(setup, scenario, answers);
  const seconds = (performance.now() - startedAt) / 1000;
  const isSustained = acceptedOf(answers).length === answers.length && seconds <= searchSeconds + backlogSecondsMax;
  process.stderr.write(`${scenario.name}: ${rate} events/s ${isSustained ? 'kept' : 'not kept'}\n`);
  return isSustained;
}

/** Waits until every accepted event has arrived at every webhook. */
function waitUntilDelivered(
  setup: LoadSetup<Cluster>,
  { parts }: Scenario,
  answers: readonly Answer[],
): Promise<unknown> {
  const accepted = acceptedOf(answers);
  setup.expected += accepted.length * parts.webhooks;
  const isSettled = (): boolean => setup.deliveries >= setup.expected && accepted.every(([n]) => setup.arrivals.has(n));
  return until('accepted events to arrive', isSettled, settleMs);
}

/** Posts can overtake each other a little: the last one is among so many newest events. */
const lastEvents = 20;

/** The time from the end of the load until its last event is in the views. */
async function projectionLag(setup: LoadSetup<Cluster>, accepted: readonly Answer[]): Promise<number> {
  const endedAt = performance.now();
  const last = Math.max(...accepted.slice(-1).map(([n]) => n));
  const isThere = async (): Promise<boolean> => {
    const { data } = await setup.api.eventSummaries(setup.sourceOf(last), { limit: lastEvents, expand: 'event' });
    return data.some(({ event }) => (event as { n?: unknown } | null)?.n === last);
  };
  await until('the last event in the views', isThere, settleMs);
  return performance.now() - endedAt;
}

/** The usage of each app with its child processes, and of the servers. */
function usages(cluster: Cluster): ReadonlyMap<string, Usage> {
  const pids: (readonly [string, number])[] = [
    ...cluster.instances().map(({ app, pid }) => [app, pid] as const),
    ['kafka', cluster.servers.kafka.pid],
    ['mongodb', cluster.servers.mongodb.pid],
  ];
  return new Map(pids.map(([name, pid]) => [name, usageOfGroup(pid)]));
}
