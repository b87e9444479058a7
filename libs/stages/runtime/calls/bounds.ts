// What an invocation may do and how long: by its source's settings, and by what kind of trigger it is of.
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { Definition } from '../source/definitions.ts';

/** The source's settings that the sandbox applies. */
export function boundsOf({
  settings: { timeoutMs, memoryMb } = {},
}: Definition): Pick<Invocation, 'runTimeoutMs' | 'memoryMb'> {
  const time = timeoutMs === undefined ? {} : { runTimeoutMs: timeoutMs };
  return memoryMb === undefined ? time : { ...time, memoryMb };
}

/** `deactivate` may always emit: nothing is deployed by it. */
export const isMuted = (kind: QueuedTrigger['kind'], { settings }: Definition): boolean =>
  (kind === 'deploy' || kind === 'activate') && settings?.emitOnDeploy === false;

/** A call may run for what is left of its time, but no longer than the source's own limit, and must begin within it. */
export function within(
  callMs: number | undefined,
  { settings }: Definition,
): Pick<Invocation, 'runTimeoutMs' | 'beginBy'> {
  if (callMs === undefined) return {};
  const runTimeoutMs = Math.min(callMs, settings?.timeoutMs ?? callMs);
  return { runTimeoutMs, beginBy: performance.now() + callMs };
}
