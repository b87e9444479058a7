// Lets a repeated deploy wait for the process of the first request, if that is still in progress.
import { setTimeout as delay } from 'node:timers/promises';
import type { SourceView } from '../../../../domain/views/index.ts';
import { Backoff } from '../../../../primitives/backoff.ts';
import type { Parts } from '../../parts/parts.ts';

/** Hooks take some time, and each look is a small read. */
const firstPollMs = 20;
const pollMsMax = 250;

/**
 * Waits as long as the first request does. True: the deploy was in progress and has ended. False: it had ended before,
 * is still in progress, or the log was lost.
 */
export async function waitForDeployEnd(parts: Parts<'views' | 'watch' | 'limits'>, sourceId: string): Promise<boolean> {
  return (
    (await isDeploying(parts, sourceId)) &&
    (await parts.watch.whileLogAnswers(pollUntilEnded(parts, sourceId))) === true
  );
}

/** Whether the deploy ends within the time that a request waits for its outcome. */
async function pollUntilEnded(parts: Parts<'views' | 'limits'>, sourceId: string): Promise<boolean> {
  const deadline = performance.now() + parts.limits.outcomeMs;
  for (const backoff = new Backoff(firstPollMs, pollMsMax); ;) {
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    await delay(Math.min(backoff.next(), remainingMs));
    if (!(await isDeploying(parts, sourceId))) return true;
  }
}

const isDeploying = async ({ views }: Parts<'views'>, sourceId: string): Promise<boolean> =>
  ((await views().get('sources', sourceId))?.value as SourceView | undefined)?.state === 'deploying';
