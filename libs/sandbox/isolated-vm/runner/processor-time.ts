// What this process has had of the processor: an isolate's own clock goes on while others have it.

/** Of all threads together, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
