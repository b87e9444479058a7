// Repeats a read for which the service has no room: after the time that its answer names, and a few times at most.

const retriesMax = 3;
/** An answer that asks for a longer wait is final: the page says so, and can be reloaded by hand. */
const waitMsMax = 5_000;
/** For an answer 429 that names no time. */
const defaultWaitSeconds = 1;
/** Spreads the repeats of tabs that were refused together. */
const jitterMs = 500;

/** The first final answer, or the last one. Rejects as `read` does, or with the signal's reason while waiting. */
export async function readWithRetries(read: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await read();
    const waitMs = waitMsOf(response);
    if (retries === retriesMax || waitMs === undefined) return response;
    await response.body?.cancel();
    await pause(waitMs, signal);
  }
}

/** Undefined: a repeat would not help, or would come too late. */
function waitMsOf({ status, headers }: Response): number | undefined {
  const retryAfter = headers.get('retry-after');
  const seconds = retryAfter === null ? (status === 429 ? defaultWaitSeconds : NaN) : Number(retryAfter);
  if (!Number.isFinite(seconds) || (status !== 429 && status !== 503)) return undefined;
  const waitMs = Math.max(seconds, 0) * 1_000;
  return waitMs > waitMsMax ? undefined : waitMs + Math.random() * jitterMs;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
