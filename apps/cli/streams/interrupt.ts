// Ctrl-C for commands that continue until then: they get to end what they began.

export interface Interruption {
  readonly signal: AbortSignal;
  /** Ends without Ctrl-C: work that outlives a failure would keep the process alive. */
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
