// Measures the processor time of this process, because an isolate's clock includes waits for a processor.

/** Milliseconds of all threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
