// Checks a service after attacks: `kill -9`, the next start, and its memory once the hostile sources are deleted.
import { pause } from '../../../support/until.ts';
import { runsOf } from './component-attack.ts';
import { defaultConcurrency, forEachConcurrently } from './concurrently.ts';
import { limitReported } from './promises.ts';
import type { AttackedService } from './service.ts';
import type { RemainingSource } from './attack-outcome.ts';

/** Highest ratio of resident memory afterwards to before. */
const memoryRatioMax = 1.2;
/** V8 returns memory during some work, and the allocator later. */
const memoryWithinMs = 30_000;
const runDeadlineMs = 20_000;
/** Longer than loading and running what was interrupted. */
const observeMs = 2_000;
const healthEveryMs = 100;

export interface AttackAftermath {
  readonly remaining: readonly RemainingSource[];
  readonly remain: boolean;
  readonly beforeMiB: number;
}

/** With `remain`, sources get calm and then hostile requests after the restart, before memory is measured. */
export async function checkAfterAttack(
  service: AttackedService,
  { remaining, remain, beforeMiB }: AttackAftermath,
): Promise<{ readonly memory: MemoryResult; readonly restarted: RestartResult }> {
  const first = remain ? await restartAndCheck(service, remaining) : undefined;
  if (remain) await repeatAttacks(service, remaining);
  await deleteAll(service, remaining);
  const memory = await waitForMemory(service, beforeMiB);
  return { memory, restarted: first ?? (await restartAndCheck(service, [])) };
}

export async function deleteAll({ client }: AttackedService, remaining: readonly RemainingSource[]): Promise<void> {
  await forEachConcurrently(remaining, defaultConcurrency, ({ sourceId }) =>
    client.deleteSource(sourceId, { ignore_hook_errors: true }).catch(() => undefined),
  );
}

/** Repeats the attacks. Ignores errors: if the service has ended, the restart reports it. */
async function repeatAttacks(service: AttackedService, remaining: readonly RemainingSource[]): Promise<void> {
  await forEachConcurrently(remaining, defaultConcurrency, async ({ sourceId, endpoint }) => {
    if (service.product.exitReason !== undefined) return;
    const before = (await runsOf(service, sourceId, 0)).length;
    await (await fetch(endpoint, { method: 'POST' })).arrayBuffer();
    await runsOf(service, sourceId, before + 1, runDeadlineMs);
  }).catch(() => undefined);
}

export interface MemoryResult {
  readonly ratio: number;
  readonly broken: readonly string[];
}

/** Waits until resident memory is back, or until the deadline, while ordinary work continues. */
async function waitForMemory(service: AttackedService, beforeMiB: number): Promise<MemoryResult> {
  const deadline = performance.now() + memoryWithinMs;
  let ratio = service.residentMiB / beforeMiB;
  while (ratio > memoryRatioMax && performance.now() < deadline) {
    await service.sendLarge();
    await pause(250);
    ratio = Math.min(ratio, service.residentMiB / beforeMiB);
  }
  if (ratio <= memoryRatioMax) return { ratio, broken: [] };
  const beforeRounded = Math.round(beforeMiB);
  return {
    ratio,
    broken: [
      `memory was to come back to ${memoryRatioMax} times ${beforeRounded} MiB, and has ${service.residentText} MiB`,
    ],
  };
}

export interface RestartResult {
  /** From the start of the process to its first healthy answer. */
  readonly startMs: number;
  readonly broken: readonly string[];
}

/** Kills the service with `kill -9`, starts it, and checks that every remaining source answers. */
async function restartAndCheck(
  service: AttackedService,
  remaining: readonly RemainingSource[],
): Promise<RestartResult> {
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
  await forEachConcurrently(remaining, defaultConcurrency, async (source) => {
    if (product.exitReason === undefined) broken.push(...(await problemsOfSource(service, source)));
  });
  broken.push(...(await problemsAfterStart(service)));
  return { startMs, broken: limitReported(broken) };
}

/** Interrupted runs begin again at once, and could end the service a moment after it was healthy. */
async function problemsAfterStart({ product }: AttackedService): Promise<string[]> {
  for (const until = performance.now() + observeMs; performance.now() < until; await pause(healthEveryMs)) {
    const health = await fetch(`${product.baseUrl}/health`).catch(() => undefined);
    if (health?.ok !== true)
      return [`/health was to stay ok after the start: ${health?.status ?? product.exitReason ?? 'no answer'}`];
  }
  return [];
}

/** Checks that a source runs in spite of what its case has left on the log. */
async function problemsOfSource(service: AttackedService, { sourceId, endpoint }: RemainingSource): Promise<string[]> {
  try {
    const before = (await runsOf(service, sourceId, 0)).length;
    const response = await fetch(`${endpoint}?calm`, { method: 'POST' });
    await response.arrayBuffer();
    if (response.status !== 200) return [`${sourceId} was to answer 200 after the start: ${response.status}`];
    const run = (await runsOf(service, sourceId, before + 1, runDeadlineMs)).at(-1);
    if (run?.outcome === 'succeeded') return [];
    return [`${sourceId} was to run after the start: ${run?.error?.message}`];
  } catch (error) {
    const { exitReason: ending } = service.product;
    return [`${sourceId} was to run after the start: ${ending ?? ''} ${(error as Error).message}`];
  }
}
