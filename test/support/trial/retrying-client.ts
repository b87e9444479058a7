// A client during faults: repeats requests until they are acknowledged, and keeps every answer.
import { pause } from '../until.ts';

export interface Answer {
  /** The time of the request, on this process's clock. */
  readonly at: number;
  readonly ms: number;
  /** 0: nobody answered. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** Statuses after which the client repeats the request (202: it is under way). After any other it gives up. */
const retryStatuses: ReadonlySet<number> = new Set([0, 202, 429, 503]);
/** Twice the limit of a recovery. */
const acknowledgedDeadlineMs = 60_000;
const pauseMs = 100;

export class RetryingClient {
  readonly answers: Answer[] = [];

  /** Returns the body of the 200; throws on a final answer, and after the deadline. */
  async untilAcknowledged(url: string, init: RequestInit): Promise<string> {
    const deadline = performance.now() + acknowledgedDeadlineMs;
    for (;;) {
      const answer = await sendRequest(url, init);
      this.answers.push(answer);
      if (answer.status === 200) return answer.body;
      const description = `${answer.status} after ${Math.round(answer.ms)} ms from ${url}: ${answer.body}`;
      if (!retryStatuses.has(answer.status)) throw new Error(description);
      if (performance.now() > deadline)
        throw new Error(`not acknowledged for ${acknowledgedDeadlineMs} ms, now ${description}`);
      await pause(pauseMs);
    }
  }
}

/** Never throws. */
export async function sendRequest(url: string, init: RequestInit): Promise<Answer> {
  const at = performance.now();
  const signal = AbortSignal.timeout(acknowledgedDeadlineMs);
  try {
    const response = await fetch(url, { ...init, signal });
    const body = await response.text();
    return {
      at,
      ms: performance.now() - at,
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body,
    };
  } catch (error) {
    return { at, ms: performance.now() - at, status: 0, retryAfter: null, body: String(error) };
  }
}
