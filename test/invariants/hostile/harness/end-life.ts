// Checks a service after attacks: `kill -9`, the next start, and its memory once the hostile sources are deleted.
import { pause } from '../../../support/until.ts';
import { runsOf } from './component-strike.ts';
import { atOnceDefault, inLanes } from './lanes.ts';
import { firstOf } from './promises.ts';
import type { Service } from './service.ts';
import type { Left } from './struck.ts';

/** Highest ratio of resident memory afterwards to before. */
const memoryRatioMax = 1.2;
/** V8 returns memory during some work, and the allocator later. */
const memoryWithinMs = 30_000;
const ranWithinMs = 20_000;
/** Longer than loading and running what was interrupted. */
const settledMs = 2_000;
const healthEveryMs = 100;

export interface Ending {
  readonly left: readonly Left[];
  readonly remain: boolean;
  readonly beforeMiB: number;
}

/** With `remain`, sources get calm and then hostile requests after the restart, before memory is measured. */
export async function endLife(
  service: Service,
  { left, remain, beforeMiB }: Ending,
): Promise<{ readonly memory: Memory; readonly restarted: Restart }> {
  const first = remain ? await restart(service, left) : undefined;
  if (remain) await askAgain(service, left);
  await deleteAll(service, left);
  const memory = await memoryBack(service, beforeMiB);
  return { memory, restarted: first ?? (await restart(service, [])) };
}

export async function deleteAll({ client }: Service, left: readonly Left[]): Promise<void> {
  await inLanes(left, atOnceDefault, ({ sourceId }) =>
    client.deleteSource(sourceId, { ignore_hook_errors: true }).catch(() => undefined),
  );
}

/** Repeats the attacks. Ignores errors: if the service has ended, the restart reports it. */
async function askAgain(service: Service, left: readonly Left[]): Promise<void> {
  await inLanes(left, atOnceDefault, async ({ sourceId, endpoint }) => {
    if (service.product.ending !== undefined) return;
    const before = (await runsOf(service, sourceId, 0)).length;
    await (await fetch(endpoint, { method: 'POST' })).arrayBuffer();
    await runsOf(service, sourceId, before + 1, ranWithinMs);
  }).catch(() => undefined);
}

export interface Memory {
  readonly ratio: number;
  readonly broken: readonly string[];
}

/** Waits until resident memory is back, or until the deadline, while ordinary work continues. */
async function memoryBack(service: Service, beforeMiB: number): Promise<Memory> {
  const deadline = performance.now() + memoryWithinMs;
  let ratio = service.residentMiB / beforeMiB;
  while (ratio > memoryRatioMax && performance.now() < deadline) {
    await service.askLarge();
    await pause(250);
    ratio = Math.min(ratio, service.residentMiB / beforeMiB);
  }
  if (ratio <= memoryRatioMax) return { ratio, broken: [] };
  const was = Math.round(beforeMiB);
  return {
    ratio,
    broken: [`memory was to come back to ${memoryRatioMax} times ${was} MiB, and has ${service.residentText} MiB`],
  };
}

export interface Restart {
  /** From the start of the process to its first healthy answer. */
  readonly startMs: number;
  readonly broken: readonly string[];
}

/** Kills the service with `kill -9`, starts it, and checks that every remaining source answers. */
async function restart(service: Service, left: readonly Left[]): Promise<Restart> {
  const { product } = service;
  await product.kill();
  const startedAt = performance.now();
  try {
    await product.start();
  } catch (error) {
    return { startMs: NaN, broken: [`the next start was to be healthy: ${(error as Error).message.slice(-500)}`] };
  }
  const startMs = performance.now() - startedAt;
  const broken: string[] = [];
  await inLanes(left, atOnceDefault, async (one) => {
    if (product.ending === undefined) broken.push(...(await wrongCalm(service, one)));
  });
  broken.push(...(await wrongSince(service)));
  return { startMs, broken: firstOf(broken) };
}

/** Interrupted runs begin again at once, and could end the service a moment after it was healthy. */
async function wrongSince({ product }: Service): Promise<string[]> {
  for (const until = performance.now() + settledMs; performance.now() < until; await pause(healthEveryMs)) {
    const health = await fetch(`${product.baseUrl}/health`).catch(() => undefined);
    if (health?.ok !== true)
      return [`/health was to stay ok after the start: ${health?.status ?? product.ending ?? 'no answer'}`];
  }
  return [];
}

/** Checks that a source runs in spite of what its case has left on the log. */
async function wrongCalm(service: Service, { sourceId, endpoint }: Left): Promise<string[]> {
  try {
    const before = (await runsOf(service, sourceId, 0)).length;
    const answer = await fetch(`${endpoint}?calm`, { method: 'POST' });
    await answer.arrayBuffer();
    if (answer.status !== 200) return [`${sourceId} was to answer 200 after the start: ${answer.status}`];
    const run = (await runsOf(service, sourceId, before + 1, ranWithinMs)).at(-1);
    if (run?.outcome === 'succeeded') return [];
    return [`${sourceId} was to run after the start: ${run?.error?.message}`];
  } catch (error) {
    const { ending } = service.product;
    return [`${sourceId} was to run after the start: ${ending ?? ''} ${(error as Error).message}`];
  }
}
