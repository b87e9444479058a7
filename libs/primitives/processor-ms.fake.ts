// Measures the processor time of this thread, for tests that bound the cost of work: other processes do not affect it.

/** Returns milliseconds; the clock ticks every 4 ms. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
