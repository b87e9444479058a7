// Decides commands about alerts: a live alert is not raised again, and the number of live alerts is bounded.
import type { Decided } from '../message.ts';
import { alertKey, isAlertExpired } from './alerts.ts';
import type { Alerts, LiveAlert } from './alerts.ts';
import type { AlertCommand, AlertEvent } from './messages.ts';

/** The most live alerts. One more ends the oldest of the code that has most, so that no code crowds out the others. */
export const alertsMax = 1_000;
/** Repeats of a live alert are recorded at most this often: well within the day after which it would end. */
const continueIntervalMs = 60 * 60 * 1000;

/** Uses the command's time as now. Every command also ends the alerts that have expired. */
export function decideAlert(state: Alerts, command: AlertCommand): readonly Decided<AlertEvent>[] {
  const { at } = command;
  const expired = [...state.values()].filter((alert) => isAlertExpired(alert, at));
  const existing = state.get(alertKey(command.data));
  const live = existing !== undefined && !isAlertExpired(existing, at) ? existing : undefined;
  if (command.type === 'EndAlert') return [...expired, ...(live === undefined ? [] : [live])].map(alertEnded);
  if (live !== undefined) return [...expired.map(alertEnded), ...alertContinued(live, command)];
  const { code, subject, message, since = at } = command.data;
  const remaining = [...state.values()].filter((alert) => !expired.includes(alert));
  const evicted = remaining.length < alertsMax ? [] : oldestOfTopCode(remaining);
  const data = { code, subject, message, ...(since < at ? { since } : {}) };
  return [...[...expired, ...evicted].map(alertEnded), { type: 'AlertRaised', data }];
}

function oldestOfTopCode(alerts: readonly LiveAlert[]): readonly LiveAlert[] {
  const byCode = Object.values(Object.groupBy(alerts, ({ code }) => code));
  const [largestGroup = []] = byCode.toSorted((a, b) => b.length - a.length);
  return largestGroup.slice(0, 1);
}

const alertEnded = ({ code, subject }: LiveAlert): Decided<AlertEvent> => ({
  type: 'AlertEnded',
  data: { code, subject },
});

function alertContinued(
  live: LiveAlert,
  { at, data }: AlertCommand & { readonly type: 'RaiseAlert' },
): readonly Decided<AlertEvent>[] {
  if (at - live.lastAt < continueIntervalMs) return [];
  const { code, subject, message } = data;
  return [{ type: 'AlertContinued', data: { code, subject, message, since: live.since } }];
}
