// Sends one event to a server on this machine, and returns the outcome.
import type { SignedRequest } from '../../requests/signed-event.ts';

/** The default timeout of a webhook. */
const defaultTimeoutMs = 15_000;

export interface Outcome {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly duration_ms: number;
}

interface ForwardOptions {
  readonly endSignal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export async function forward(
  signed: SignedRequest,
  url: string,
  { endSignal, timeoutMs = defaultTimeoutMs }: ForwardOptions,
): Promise<Outcome> {
  const startedMs = performance.now();
  const outcomeOf = (status: number | null, failure: string | null): Outcome => ({
    status,
    failure,
    duration_ms: Math.round(performance.now() - startedMs),
  });
  const signal = AbortSignal.any([endSignal, AbortSignal.timeout(timeoutMs)]);
  try {
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...signed });
    await answer.body?.cancel();
    return outcomeOf(answer.status, null);
  } catch (error) {
    return outcomeOf(null, failureOf(error as Error));
  }
}

/** The system's error code, if there is one; otherwise the message, as for abort errors, whose codes are numbers. */
function failureOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'timeout';
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : message;
}
