// Waits for work up to a time limit. Late work continues, but its outcome is ignored: the caller can stop it.
// Each wait leaves a reaction on the promise until that settles: a loop that waits on one promise again and again uses
// a Sleeper.

class TimeLimitExceeded extends Error {
  constructor(operation: string, limitMs: number) {
    super(`${operation} took longer than ${limitMs} ms`);
    this.name = 'TimeLimitExceeded';
  }
}

/**
 * Resolves as `work` does within `limitMs`; otherwise rejects with an error naming `operation`. Rejects as `work` does.
 */
export function within<T>(work: Promise<T>, limitMs: number, operation: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TimeLimitExceeded(operation, limitMs)), limitMs);
  return race(work, late.promise, timer);
}

/** Resolves as `work` does within `maxMs`, otherwise with `otherwise`. Rejects as `work` does. */
export function withinOr<T, Otherwise>(work: Promise<T>, maxMs: number, otherwise: Otherwise): Promise<T | Otherwise> {
  const late = Promise.withResolvers<Otherwise>();
  return race(work, late.promise, setTimeout(late.resolve, maxMs, otherwise));
}

/** Whether `work` resolved within `maxMs`. Rejects as `work` does. */
export const resolvesInTime = (work: Promise<unknown>, maxMs: number): Promise<boolean> =>
  withinOr(
    work.then(() => true),
    maxMs,
    false,
  );

async function race<T, Late>(work: Promise<T>, late: Promise<Late>, timer: NodeJS.Timeout): Promise<T | Late> {
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
