// Paces background work: it rests after each step, so that it takes a small part of the time.
import { setTimeout as delay } from 'node:timers/promises';

/** The rest, as a multiple of the step's time: the work takes a tenth of one thread at most. */
const restFactor = 9;

/** Runs a step, then rests. Rejects when `stopped` is aborted meanwhile. */
export async function paced<Result>(step: () => Promise<Result>, stopped: AbortSignal): Promise<Result> {
  stopped.throwIfAborted();
  const startedAt = performance.now();
  const result = await step();
  await delay((performance.now() - startedAt) * restFactor, undefined, { signal: stopped });
  return result;
}
