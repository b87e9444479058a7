// Alerts the operator about a component that ends processes: others are not affected, but each run costs a process.
import { isFormCall } from '../../../domain/call/call.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';

/** Raises no alert for forms, which leave no run that could say how the process ended. */
export function alertCrash(
  alerts: Alerts,
  { sourceId, kind }: { readonly sourceId: string; readonly kind: string },
): void {
  if (isFormCall(kind)) return;
  const found = `The component of source ${sourceId} ended the process that it ran in.`;
  const advice = 'Its runs say how (GET /v1/sources/ID/runs?outcome=failed): repair its code, or delete it.';
  alerts.raise('component_crashed', sourceId, `${found} It runs in a process of its own for now. ${advice}`);
}
