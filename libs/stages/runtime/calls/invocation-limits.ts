// Derives the limits of an invocation from its source's settings and the kind of its trigger.
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { Definition } from '../source/definitions.ts';

/** The limits that the source's settings set. */
export function limitsOf({
  settings: { timeoutMs, memoryMb } = {},
}: Definition): Pick<Invocation, 'runTimeoutMs' | 'memoryMb'> {
  const time = timeoutMs === undefined ? {} : { runTimeoutMs: timeoutMs };
  return memoryMb === undefined ? time : { ...time, memoryMb };
}

/** Whether emits are dropped. `deactivate` can always emit, because it deploys nothing. */
export const isMuted = (kind: QueuedTrigger['kind'], { settings }: Definition): boolean =>
  (kind === 'deploy' || kind === 'activate') && settings?.emitOnDeploy === false;

/** A call can run for the rest of its time, but not longer than the source's own limit, and must begin within it. */
export function callLimits(
  callMs: number | undefined,
  { settings }: Definition,
): Pick<Invocation, 'runTimeoutMs' | 'beginBy'> {
  if (callMs === undefined) return {};
  const runTimeoutMs = Math.min(callMs, settings?.timeoutMs ?? callMs);
  return { runTimeoutMs, beginBy: performance.now() + callMs };
}
