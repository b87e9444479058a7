// What clients meet while servers and apps come and go: requests repeated until they are acknowledged, every answer kept.
import { pause } from '../until.ts';

export interface Answer {
  /** When it was asked, on this process's clock. */
  readonly at: number;
  readonly ms: number;
  /** 0: nobody answered. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** Statuses after which a client sends the request again (202: it is under way); any other would make it give up. */
const comeAgain: ReadonlySet<number> = new Set([0, 202, 429, 503]);
/** Twice what a recovery may take. */
const acknowledgedDeadlineMs = 60_000;
const pauseMs = 100;

export class Asking {
  readonly answers: Answer[] = [];

  /** Gives the body of the 200; throws on an answer that ends the matter, and when none comes. */
  async untilAcknowledged(url: string, init: RequestInit): Promise<string> {
    const deadline = performance.now() + acknowledgedDeadlineMs;
    for (;;) {
      const answer = await ask(url, init);
      this.answers.push(answer);
      if (answer.status === 200) return answer.body;
      const tale = `${answer.status} after ${Math.round(answer.ms)} ms from ${url}: ${answer.body}`;
      if (!comeAgain.has(answer.status)) throw new Error(tale);
      if (performance.now() > deadline)
        throw new Error(`not acknowledged for ${acknowledgedDeadlineMs} ms, now ${tale}`);
      await pause(pauseMs);
    }
  }
}

/** Never throws. */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const at = performance.now();
  const signal = AbortSignal.timeout(acknowledgedDeadlineMs);
  try {
    const answer = await fetch(url, { ...init, signal });
    const body = await answer.text();
    return {
      at,
      ms: performance.now() - at,
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body,
    };
  } catch (error) {
    return { at, ms: performance.now() - at, status: 0, retryAfter: null, body: String(error) };
  }
}
