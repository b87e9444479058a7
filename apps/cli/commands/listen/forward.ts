// Sends one event to the server on this machine, and tells what came of it.
import type { SignedRequest } from '../../requests/signed-event.ts';

/** What a webhook has. */
const usualMsMax = 15_000;

export interface Outcome {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly duration_ms: number;
}

interface Within {
  readonly ended: AbortSignal;
  readonly answerMsMax?: number | undefined;
}

export async function forward(
  signed: SignedRequest,
  url: string,
  { ended, answerMsMax = usualMsMax }: Within,
): Promise<Outcome> {
  const startedMs = performance.now();
  const done = (status: number | null, failure: string | null): Outcome => ({
    status,
    failure,
    duration_ms: Math.round(performance.now() - startedMs),
  });
  const signal = AbortSignal.any([ended, AbortSignal.timeout(answerMsMax)]);
  try {
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...signed });
    await answer.body?.cancel();
    return done(answer.status, null);
  } catch (error) {
    return done(null, failureOf(error as Error));
  }
}

/** The code of the system where there is one: the codes of signals are numbers, which tell nobody anything. */
function failureOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'timeout';
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : message;
}
