// Handles Ctrl-C for commands that run until then, so that they can finish what they began.

export interface Interruption {
  readonly signal: AbortSignal;
  /** Ends the work without Ctrl-C, so that work that outlives a failure does not keep the process alive. */
  end(): void;
  /** From now on Ctrl-C ends the process as usual. */
  release(): void;
}

/** A second Ctrl-C ends the process at once. */
export function interruption(): Interruption {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  return {
    signal: abort.signal,
    end: () => abort.abort(),
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
