// Paces background work: pauses after each step, so that the work takes a small part of the time.
import { setTimeout as delay } from 'node:timers/promises';

/** The pause, as a multiple of the step's time: the work takes a tenth of one thread at most. */
const restFactor = 9;

/** Runs a step, then pauses. Rejects when `stopped` is aborted in the meantime. */
export async function paced<Result>(step: () => Promise<Result>, stopped: AbortSignal): Promise<Result> {
  stopped.throwIfAborted();
  const startedAt = performance.now();
  const result = await step();
  await delay((performance.now() - startedAt) * restFactor, undefined, { signal: stopped });
  return result;
}
