// How a service that was attacked continues: `kill -9`, the next start, and memory once the hostile sources are gone.
import { pause } from '../../../support/until.ts';
import { runsOf } from './component-strike.ts';
import { atOnceDefault, inLanes } from './lanes.ts';
import { firstOf } from './promises.ts';
import type { Service } from './service.ts';
import type { Left } from './struck.ts';

/** Resident memory afterwards, against before. */
const memoryRatioMax = 1.2;
/** V8 gives memory back while there is some work, and the allocator after it. */
const memoryWithinMs = 30_000;
const ranWithinMs = 20_000;
/** Longer than it takes to load and run what was interrupted. */
const settledMs = 2_000;
const healthEveryMs = 100;

export interface Ending {
  readonly left: readonly Left[];
  readonly remain: boolean;
  readonly beforeMiB: number;
}

/** Sources that remain are asked again after the restart, first calmly and then as before, so that memory is looked at after their worst. */
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

/** What a service that has ended does not answer is told by the restart. */
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

/** Waits until resident memory is back, or for the longest that this may take; ordinary work continues meanwhile. */
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

/** `kill -9`, and a start after which everything that is left answers. */
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

/** What waits on the log is begun again at once, and may end the service a moment after it was healthy. */
async function wrongSince({ product }: Service): Promise<string[]> {
  for (const until = performance.now() + settledMs; performance.now() < until; await pause(healthEveryMs)) {
    const health = await fetch(`${product.baseUrl}/health`).catch(() => undefined);
    if (health?.ok !== true)
      return [`/health was to stay ok after the start: ${health?.status ?? product.ending ?? 'no answer'}`];
  }
  return [];
}

/** What a case has left on the log must not keep its source from running. */
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
