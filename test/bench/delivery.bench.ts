// Delivery from the log to a sink, attempts and cursors durable, against a bare loop over the same pool, signature and body.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { pipedreamSignature, standardSignature } from '../../libs/domain/delivery/signature.ts';
import { EgressGuard, OriginPools } from '../../libs/egress/index.ts';
import type { Log } from '../../libs/log/log.ts';
import { DeliveryStage } from '../../libs/stages/delivery/index.ts';
import { StageLoop } from '../../libs/stages/loop/stage-loop.ts';
import { FakeTransformer } from '../../libs/sandbox/transformer.fake.ts';
import { UndiciWebhook } from '../../libs/webhooks/index.ts';
import { until } from '../support/until.ts';
import type { Bench, Figure } from './report/figure.ts';
import type { Listening } from './load/answering-sink.ts';
import { deliveryLog, eventOf, masterKey, signingKey } from './load/delivery-log.ts';

interface Course {
  readonly ordered: boolean;
  readonly inFlight: number;
  readonly count: number;
  readonly goal: string;
}

const unordered: Course = { ordered: false, inFlight: 64, count: 30_000, goal: '>= 0.8 of bound' };
const ordered: Course = { ordered: true, inFlight: 1, count: 6_000, goal: '>= 0.85 of bound' };
/** Both are run this often before they are measured, so that neither is measured cold. */
const warmUpCount = 3_000;
const spareCount = 2_000;
const guard = new EgressGuard(['127.0.0.0/8']);

export const deliveryUnordered: Bench = { name: 'delivery.unordered', run: () => run('delivery.unordered', unordered) };
export const deliveryOrdered: Bench = { name: 'delivery.ordered', run: () => run('delivery.ordered', ordered) };

export { deliveryIsolation } from './isolation/delivery-isolation.ts';

async function run(name: string, course: Course): Promise<readonly Figure[]> {
  const sink = fork(fileURLToPath(new URL(`./load/answering-sink${extname(import.meta.url)}`, import.meta.url)));
  try {
    const [{ port }] = (await once(sink, 'message')) as [Listening];
    const url = `http://127.0.0.1:${port}/`;
    const warmUp = { ...course, count: warmUpCount };
    await bare(url, warmUp);
    await delivery(url, warmUp);
    // Before and after, so that a machine that grows busier weighs on both alike.
    const before = await bare(url, course);
    const value = await delivery(url, course);
    const bound = (before + (await bare(url, course))) / 2;
    return [{ name, value, unit: 'deliveries/s', bound, ratio: value / bound, goal: course.goal }];
  } finally {
    await ended(sink);
  }
}

/**
 * Deliveries per second of the stage, from its start until `count` attempts are durable. More events than that wait, so
 * that it is still at full speed then: the last few alone would wait for the stage's quiet flush.
 */
async function delivery(url: string, { ordered: inOrder, count }: Course): Promise<number> {
  const [log, close] = await deliveryLog(url, inOrder, count + spareCount);
  const webhook = new UndiciWebhook({ guard });
  const fail = (error: unknown): never => {
    throw new Error('delivery failed', { cause: error });
  };
  const ambient = { now: () => Date.now(), randomBytes: (bytes: number) => randomBytes(bytes) };
  const stage = new DeliveryStage({ webhook, transformer: new FakeTransformer(), masterKey, ambient, alert: fail });
  const loop = new StageLoop(stage, log, pino({ level: 'silent' }));
  const startedAt = performance.now();
  loop.start(fail);
  const durable = await until('the attempts to be durable', () => durableFrom(log, count), 60_000);
  const perSecond = (durable * 1000) / (performance.now() - startedAt);
  await loop.stop(1_000);
  await close();
  return perSecond;
}

/** How many are, once there are `count`. Offsets of the embedded log begin at 1 and have no gaps while one stage writes. */
async function durableFrom(log: Log, count: number): Promise<number | undefined> {
  const durable = (await log.end('deliveries', 0)) - 1;
  return durable < count ? undefined : durable;
}

/** Posts per second of a loop that does nothing but sign and send. */
async function bare(url: string, { inFlight, count }: Course): Promise<number> {
  const pools = new OriginPools(guard);
  const startedAt = performance.now();
  let sent = 0;
  const one = async (): Promise<void> => {
    while (sent < count) await post(pools, url, sent++);
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  const ms = performance.now() - startedAt;
  await pools.close(1_000);
  return (count * 1000) / ms;
}

const body = JSON.stringify(eventOf(0));

function post(pools: OriginPools, origin: string, n: number): Promise<void> {
  const id = `msg_${n}`;
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature([signingKey], { id, timestampSeconds, body }),
    'x-pd-signature': pipedreamSignature([signingKey], { id, timestampSeconds, body }),
  };
  return new Promise((resolve, reject) => {
    const handler = {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd: () => resolve(),
      onResponseError: (_: unknown, error: Error) => reject(error),
    };
    pools.of(origin).dispatch({ method: 'POST', path: '/', headers, body }, handler);
  });
}

async function ended(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
