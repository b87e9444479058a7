// The step that a request is made for: an action's `$`, a component's `this`, or nothing; what it is told of the request.
import { cloneSafe } from '../safe-json.ts';

interface Step {
  readonly export?: unknown;
  readonly context?: unknown;
}

const isStep = (step: unknown): step is Step & Record<string, unknown> =>
  (typeof step === 'object' && step !== null) || typeof step === 'function';

/** An action exports it; a source keeps it on itself. */
export function exportOf(step: unknown, name: string, value: unknown): void {
  if (!isStep(step)) return;
  const copy = cloneSafe(value);
  if (typeof step.export === 'function') step.export(name, copy);
  else Reflect.set(step, name, copy);
}

/** For anyone who looks for a fault: also as a line of the run's console. */
export function debugOf(step: unknown, name: string, value: unknown): void {
  console.log(name, cloneSafe(value));
  exportOf(step, name, value);
}

export const hasContext = (step: unknown): boolean => isStep(step) && Boolean(step.context);
