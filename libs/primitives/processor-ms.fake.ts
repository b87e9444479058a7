// For tests that bound what a piece of work costs: the processor time of this thread, which no other process lengthens.

/** Milliseconds; the clock ticks every 4 ms. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
