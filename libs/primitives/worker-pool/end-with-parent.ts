// Makes a child process end with the service, and not by signals that are meant for the service.

/** A terminal, or a supervisor, sends them to every process of the service; it may still have work for this one. */
const leftToParent = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `die` when the parent has gone, and takes no notice of signals that the parent acts on. */
export function endWithParent(die: () => void): void {
  process.on('disconnect', die);
  for (const signal of leftToParent) process.on(signal, () => {});
}
