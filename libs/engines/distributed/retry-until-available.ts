// Waits at start for a server that is starting, too, or unavailable for a while: restarting the process would not help.
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PortError } from '../../domain/port-error.ts';
import { Backoff } from '../../primitives/backoff.ts';

/** Short for servers that start at the same time; bounded, so that the end of a long outage is noticed within 2 s. */
const firstWaitMs = 100;
const longestWaitMs = 2_000;

/** Retries opening `server` while it is unavailable; throws errors that a retry cannot fix. */
export async function retryUntilAvailable<Opened>(
  server: string,
  open: () => Promise<Opened>,
  logger: Pick<Logger, 'warn'>,
): Promise<Opened> {
  for (const backoff = new Backoff(firstWaitMs, longestWaitMs); ;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof PortError && error.retryable)) throw error;
      const waitMs = backoff.next();
      logger.warn({ server, waitMs, reason: error.message }, 'waiting for a server');
      await wait(waitMs);
    }
  }
}
