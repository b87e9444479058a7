// Reports requests to the step that makes them: an action's `$`, a component's `this`, or none.
import { cloneSafe } from '../safe-json.ts';

interface Step {
  readonly export?: unknown;
  readonly context?: unknown;
}

const isStep = (step: unknown): step is Step & Record<string, unknown> =>
  (typeof step === 'object' && step !== null) || typeof step === 'function';

/** Calls `export` of an action with a copy of the value; on a source, sets it as a field. */
export function exportValue(step: unknown, name: string, value: unknown): void {
  if (!isStep(step)) return;
  const copy = cloneSafe(value);
  if (typeof step.export === 'function') step.export(name, copy);
  else Reflect.set(step, name, copy);
}

/** Exports a value for debugging, and prints it as a line of the run's console. */
export function exportDebug(step: unknown, name: string, value: unknown): void {
  console.log(name, cloneSafe(value));
  exportValue(step, name, value);
}

export const hasContext = (step: unknown): boolean => isStep(step) && Boolean(step.context);
