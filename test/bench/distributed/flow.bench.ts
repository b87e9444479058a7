// The distributed engine on one machine with its servers, load and sink: sustained rate, latency, cost of each process.
import { Cluster } from '../../support/cluster/cluster.ts';
import { until } from '../../support/until.ts';
import { figure, quantile, type Bench, type Figure } from '../report/figure.ts';
import { Cast } from '../load/cast.ts';
import type { Parts } from '../load/cast.ts';
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

interface Course {
  readonly name: string;
  readonly parts: Parts;
  readonly searchFrom: number;
  readonly goals: { readonly events: string | null; readonly deliveries: string | null };
}

const oneToOne: Course = {
  name: 'distributed.flow',
  parts: { sources, webhooks: 1 },
  searchFrom: 400,
  goals: { events: '>= 1000 (floor 500)', deliveries: null },
};
const fanOut: Course = {
  name: 'distributed.fan-out',
  parts: { sources, webhooks: 10 },
  searchFrom: 80,
  goals: { events: null, deliveries: '>= 2500 (floor 1000)' },
};

const benchOf = (course: Course): Bench => ({
  name: course.name,
  engine: 'distributed',
  runs: 1,
  run: () => run(course),
});

export const distributedFlow = benchOf(oneToOne);
export const distributedFanOut = benchOf(fanOut);

async function run(course: Course): Promise<readonly Figure[]> {
  const cast = await Cast.assemble(await Cluster.start(), course.parts);
  try {
    await settled(cast, course, await cast.load(warmUp));
    const rate = Math.max(1, Math.round((await search(cast, course)) * sustainedShare));
    return [...(await sustained(cast, course, rate)), ...(await calm(cast, course, rate / 2))];
  } finally {
    await cast.dismiss();
  }
}

async function sustained(cast: Cast<Cluster>, course: Course, rate: number): Promise<readonly Figure[]> {
  const before = usages(cast.product);
  const deliveriesBefore = cast.deliveries;
  const startedAt = performance.now();
  const answers = await cast.load({ perSecond: rate, seconds: sustainedSeconds });
  const accepted = acceptedOf(answers);
  const [lagMs] = await Promise.all([projectionLag(cast, accepted), settled(cast, course, answers)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { name, goals } = course;
  const costs = [...usages(cast.product)].flatMap(([process, usage]) => [
    figure(`${name}.cpu.${process}`, (usage.cpuMs - (before.get(process)?.cpuMs ?? 0)) / accepted.length, 'ms/event'),
    figure(`${name}.resident.${process}`, usage.residentMiB, 'MiB'),
  ]);
  return [
    figure(`${name}.sustained`, accepted.length / seconds, 'events/s', goals.events),
    figure(`${name}.deliveries`, (cast.deliveries - deliveriesBefore) / seconds, 'deliveries/s', goals.deliveries),
    figure(`${name}.refused`, answers.length - accepted.length, 'events'),
    ...latencies(`${name}.latency`, cast, accepted),
    figure(`${name}.projection.lag`, lagMs, 'ms'),
    ...costs,
  ];
}

async function calm(cast: Cast<Cluster>, course: Course, rate: number): Promise<readonly Figure[]> {
  const answers = await cast.load({ perSecond: Math.round(rate), seconds: calmSeconds });
  await settled(cast, course, answers);
  return latencies(`${course.name}.latency.half`, cast, acceptedOf(answers));
}

/** The time from the acceptance of an event until the first byte of its first delivery. */
function latencies(name: string, cast: Cast<Cluster>, accepted: readonly Answer[]): readonly Figure[] {
  const waits = accepted.map(([n, , , answeredAt]) => (cast.arrivals.get(n) ?? Infinity) - answeredAt);
  return [figure(`${name}.p50`, quantile(waits, 0.5), 'ms'), figure(`${name}.p99`, quantile(waits, 0.99), 'ms')];
}

/** Finds the highest rate without a growing backlog, to a tenth; 0 if the first has one. */
async function search(cast: Cast<Cluster>, course: Course): Promise<number> {
  let maximum = 0;
  let rate = course.searchFrom;
  while (await isKept(cast, course, rate)) {
    maximum = rate;
    rate = Math.round(rate * searchStep);
  }
  const between = Math.round(Math.sqrt(maximum * rate));
  return maximum > 0 && (await isKept(cast, course, between)) ? between : maximum;
}

async function isKept(cast: Cast<Cluster>, course: Course, rate: number): Promise<boolean> {
  const startedAt = performance.now();
  const answers = await cast.load({ perSecond: rate, seconds: searchSeconds });
  await settled(cast, course, answers);
  const seconds = (performance.now() - startedAt) / 1000;
  const kept = acceptedOf(answers).length === answers.length && seconds <= searchSeconds + backlogSecondsMax;
  process.stderr.write(`${course.name}: ${rate} events/s ${kept ? 'kept' : 'not kept'}\n`);
  return kept;
}

/** Waits until every accepted event has arrived at every webhook. */
function settled(cast: Cast<Cluster>, { parts }: Course, answers: readonly Answer[]): Promise<unknown> {
  const accepted = acceptedOf(answers);
  cast.expected += accepted.length * parts.webhooks;
  const isSettled = (): boolean => cast.deliveries >= cast.expected && accepted.every(([n]) => cast.arrivals.has(n));
  return until('accepted events to arrive', isSettled, settleMs);
}

/** Posts can overtake each other a little: the last one is among so many newest events. */
const lastEvents = 20;

/** The time from the end of the load until its last event is in the views. */
async function projectionLag(cast: Cast<Cluster>, accepted: readonly Answer[]): Promise<number> {
  const endedAt = performance.now();
  const last = Math.max(...accepted.slice(-1).map(([n]) => n));
  const isThere = async (): Promise<boolean> => {
    const { data } = await cast.api.eventSummaries(cast.sourceOf(last), { limit: lastEvents, expand: 'event' });
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
