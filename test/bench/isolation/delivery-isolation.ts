// The lateness of a healthy webhook while neighbours hang, are slow or dead, or while as many of its retries wait as
// are allowed, against the same load without them, in the same run.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitingRetriesMax } from '../../../libs/domain/delivery/cursor.ts';
import { EgressGuard } from '../../../libs/egress/index.ts';
import { UndiciWebhook } from '../../../libs/webhooks/index.ts';
import { startDelivery } from '../delivery/start-delivery.ts';
import { quantile } from '../report/figure.ts';
import type { Bench, Figure } from '../report/figure.ts';
import type { AcceptedEvent } from './behaving-sink.ts';
import { IsolationLog, type Listener } from './isolation-log.ts';

interface Scenario {
  readonly name: string;
  readonly perSecond: number;
  readonly bytes: number;
  readonly warmUpSeconds: number;
  /** `waiting`: how many of its own events wait for a retry in the run with neighbours. */
  readonly healthy: { readonly path: string; readonly ordered: boolean; readonly waiting?: number };
  /** The host of each neighbour, and the path, which sets its behaviour. */
  readonly neighbours: readonly { readonly host: string; readonly path: string; readonly dead?: true }[];
  readonly neighboursOrdered: boolean;
  /** A path that hangs once the load has begun. */
  readonly hangsLater?: string;
}

const times = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const healthyHost = 'receiver.example';

/** Warm-up for connections, compiled code, and what takes a second to be noticed ... */
const warmUpSeconds = 3;
/** ... or for two rounds of answers after 5 s each, until they are spread over time ... */
const slowWarmUpSeconds = 11;
/** ... or until the waiting retries have been read from the log. */
const restoringSeconds = 10;

const scenarios: readonly Scenario[] = [
  {
    name: 'hanging',
    perSecond: 400,
    bytes: 1_000,
    warmUpSeconds,
    healthy: { path: '/ok', ordered: false },
    neighboursOrdered: false,
    neighbours: [{ host: healthyHost, path: '/later' }],
    hangsLater: '/later',
  },
  {
    name: 'origin',
    perSecond: 100,
    bytes: 1_000,
    warmUpSeconds,
    healthy: { path: '/ok', ordered: false },
    neighboursOrdered: false,
    neighbours: times(200, (i) => ({ host: healthyHost, path: `/hang/${i}` })),
  },
  {
    name: 'slow',
    perSecond: 110,
    bytes: 20_000,
    warmUpSeconds: slowWarmUpSeconds,
    healthy: { path: '/ok', ordered: false },
    neighboursOrdered: false,
    neighbours: times(14, (i) => ({ host: `slow${i}.example`, path: '/slow' })),
  },
  {
    name: 'retries',
    perSecond: 50,
    bytes: 1_000,
    warmUpSeconds,
    healthy: { path: '/flaky', ordered: true },
    neighboursOrdered: true,
    neighbours: times(5_000, (i) => ({ host: `dead${i}.example`, path: '/hang', dead: true as const })),
  },
  {
    name: 'waiting',
    perSecond: 400,
    bytes: 1_000,
    warmUpSeconds: restoringSeconds,
    healthy: { path: '/ok', ordered: false, waiting: waitingRetriesMax - 1_000 },
    neighboursOrdered: false,
    neighbours: [],
  },
];

const seconds = 10;
/** Wait before a retry of the healthy webhook. */
const retryAfterSeconds = 0.2;
/** Resolves every host name to this machine, so that there can be thousands of hosts. */
const guard = new EgressGuard(
  ['127.0.0.0/8'],
  {},
  { resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
);

interface Measurement {
  readonly perSecond: number;
  readonly p99Ms: number;
}

export const deliveryIsolation: Bench = { name: 'delivery.isolation', run };

async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const scenario of scenarios) {
    const quiet = await measure({ ...scenario, healthy: { ...scenario.healthy, waiting: 0 }, neighbours: [] });
    const noisy = await measure(scenario);
    const name = `delivery.isolation.${scenario.name}`;
    const rate = { name: `${name}.rate`, value: noisy.perSecond, bound: quiet.perSecond };
    const p99 = { name: `${name}.p99`, value: noisy.p99Ms, bound: quiet.p99Ms };
    figures.push({ ...rate, unit: 'deliveries/s', ratio: rate.value / rate.bound, goal: '>= 0.99 of bound' });
    figures.push({ ...p99, unit: 'ms', ratio: p99.value / p99.bound, goal: '<= 1.5 of bound' });
  }
  return figures;
}

async function measure(scenario: Scenario): Promise<Measurement> {
  const sink = fork(fileURLToPath(new URL(`./behaving-sink${extname(import.meta.url)}`, import.meta.url)));
  try {
    const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
    const accepted: AcceptedEvent[] = [];
    sink.on('message', (message: { taken: AcceptedEvent[] }) => accepted.push(...message.taken));
    const log = await IsolationLog.with(listenersOf(scenario, port));
    return await measureDeliveries(scenario, { log, sink, taken: accepted });
  } finally {
    sink.disconnect();
    await once(sink, 'exit');
  }
}

function listenersOf({ healthy, neighbours, neighboursOrdered }: Scenario, port: number): Listener[] {
  const healthyListener = {
    url: `http://${healthyHost}:${port}${healthy.path}`,
    ordered: healthy.ordered,
    retrySchedule: [retryAfterSeconds, retryAfterSeconds],
    waiting: healthy.waiting ?? 0,
  };
  const neighbourListeners = neighbours.map(({ host, path, dead }) => ({
    url: `http://${host}:${port}${path}`,
    ordered: neighboursOrdered,
    retrySchedule: times(20, () => 1),
    ...(dead === undefined ? {} : { dead }),
  }));
  return [...neighbourListeners, healthyListener];
}

interface SinkAndLog {
  readonly log: IsolationLog;
  readonly sink: ChildProcess;
  readonly taken: readonly AcceptedEvent[];
}

async function measureDeliveries(scenario: Scenario, { log, sink, taken: accepted }: SinkAndLog): Promise<Measurement> {
  const loop = startDelivery(log.log, new UndiciWebhook({ guard }));
  const { perSecond } = scenario;
  await log.emit(1, { ...scenario, seconds: scenario.warmUpSeconds });
  if (scenario.hangsLater !== undefined) sink.send({ hang: scenario.hangsLater });
  const from = 1 + perSecond * scenario.warmUpSeconds;
  const startedAt = performance.timeOrigin + performance.now();
  await log.emit(from, { ...scenario, seconds });
  const endedAt = performance.timeOrigin + performance.now();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await loop.stop(0);
  await log.close();
  const during = accepted.filter(([, at]) => at >= startedAt && at < endedAt).length;
  const late = accepted.filter(([n]) => n >= from).map(([, , lateMs]) => lateMs);
  return { perSecond: (during * 1_000) / (endedAt - startedAt), p99Ms: quantile(late, 0.99) };
}
