// What an operator is told of a component that ends processes: nobody else is harmed, but each run takes a process with it.
import { isFormCall } from '../../../domain/call/call.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';

/** What a form asks is passed over: it leaves no run that could say how. */
export function alertCrash(
  alerts: Alerts,
  { sourceId, kind }: { readonly sourceId: string; readonly kind: string },
): void {
  if (isFormCall(kind)) return;
  const found = `The component of source ${sourceId} ended the process that it ran in.`;
  const advice = 'Its runs say how (GET /v1/sources/ID/runs?outcome=failed): repair its code, or delete it.';
  alerts.raise('component_crashed', sourceId, `${found} It runs in a process of its own for now. ${advice}`);
}
