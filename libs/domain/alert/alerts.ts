// The live alerts, folded from the topic `alerts`.
import type { Millis } from '../message.ts';
import type { AlertEvent, AlertSubject } from './messages.ts';

/** An alert ends when nobody has raised it for this long: its cause is gone, or will raise it again. */
const alertTtlMs = 24 * 60 * 60 * 1000;

export interface LiveAlert extends AlertSubject {
  readonly message: string;
  /** When the trouble began, as far as is known: otherwise when the alert was raised. */
  readonly since: Millis;
  /** When it was last raised, according to the log. */
  readonly lastAt: Millis;
}

/** By `alertKey`, the oldest first. */
export type Alerts = Map<string, LiveAlert>;

export const noAlerts = (): Alerts => new Map();

/** No code has a slash. */
export const alertKey = ({ code, subject }: AlertSubject): string => `${code}/${subject}`;

export const isAlertExpired = ({ lastAt }: LiveAlert, at: Millis): boolean => at - lastAt >= alertTtlMs;

/** Updates `state` in place. */
export function evolveAlerts(state: Alerts, { type, at, data }: AlertEvent): Alerts {
  const key = alertKey(data);
  state.delete(key);
  const { code, subject } = data;
  switch (type) {
    case 'AlertRaised':
      return state.set(key, { code, subject, message: data.message, since: data.since ?? at, lastAt: at });
    case 'AlertContinued':
      return state.set(key, { code, subject, message: data.message, since: data.since, lastAt: at });
    case 'AlertEnded':
      return state;
  }
}
