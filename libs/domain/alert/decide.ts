// Decides commands about alerts: a live alert is not raised again, and the number of live alerts is bounded.
import type { Decided } from '../message.ts';
import { alertKey, isOver } from './alerts.ts';
import type { Alerts, LiveAlert } from './alerts.ts';
import type { AlertCommand, AlertEvent } from './messages.ts';

/** The most live alerts. One more ends the oldest of the code that has most, so that no code crowds out the others. */
export const alertsMax = 1_000;
/** Repeats of a live alert are recorded at most this often: well within the day after which it would end. */
const continuedEveryMs = 60 * 60 * 1000;

/** Uses the command's time as now. Every command also ends the alerts that have expired. */
export function decideAlert(state: Alerts, command: AlertCommand): readonly Decided<AlertEvent>[] {
  const { at } = command;
  const over = [...state.values()].filter((alert) => isOver(alert, at));
  const known = state.get(alertKey(command.data));
  const live = known !== undefined && !isOver(known, at) ? known : undefined;
  if (command.type === 'EndAlert') return [...over, ...(live === undefined ? [] : [live])].map(ended);
  if (live !== undefined) return [...over.map(ended), ...continued(live, command)];
  const { code, subject, message, since = at } = command.data;
  const left = [...state.values()].filter((alert) => !over.includes(alert));
  const crowdedOut = left.length < alertsMax ? [] : oldestOfMost(left);
  const data = { code, subject, message, ...(since < at ? { since } : {}) };
  return [...[...over, ...crowdedOut].map(ended), { type: 'AlertRaised', data }];
}

function oldestOfMost(alerts: readonly LiveAlert[]): readonly LiveAlert[] {
  const byCode = Object.values(Object.groupBy(alerts, ({ code }) => code));
  const [most = []] = byCode.toSorted((a, b) => b.length - a.length);
  return most.slice(0, 1);
}

const ended = ({ code, subject }: LiveAlert): Decided<AlertEvent> => ({ type: 'AlertEnded', data: { code, subject } });

function continued(
  live: LiveAlert,
  { at, data }: AlertCommand & { readonly type: 'RaiseAlert' },
): readonly Decided<AlertEvent>[] {
  if (at - live.lastAt < continuedEveryMs) return [];
  const { code, subject, message } = data;
  return [{ type: 'AlertContinued', data: { code, subject, message, since: live.since } }];
}
