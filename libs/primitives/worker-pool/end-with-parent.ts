// Makes a child process end with the service, but ignore signals that are meant for the service.

/**
 * A terminal, or a supervisor, sends them to every process of the service, which might still have work for this one.
 */
const ignoredSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `exit` when the parent has ended, and ignores signals that the parent handles. */
export function endWithParent(exit: () => void): void {
  process.on('disconnect', exit);
  for (const signal of ignoredSignals) process.on(signal, () => {});
}
