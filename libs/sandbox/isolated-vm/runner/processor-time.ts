// The processor time of this process: an isolate's own clock continues while others have the processor.

/** Of all threads together, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
