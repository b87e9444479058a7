// The alerts that are live, folded from the topic `alerts`.
import type { Millis } from '../message.ts';
import type { AlertEvent, AlertSubject } from './messages.ts';

/** An alert that nobody raises any more is over after this long: its cause is gone, or comes back and is told anew. */
const liveMs = 24 * 60 * 60 * 1000;

export interface LiveAlert extends AlertSubject {
  readonly message: string;
  /** When it was raised. */
  readonly since: Millis;
  /** When it was last raised, as far as the log says. */
  readonly lastAt: Millis;
}

/** By `alertKey`, the one that was raised longest ago first. */
export type Alerts = Map<string, LiveAlert>;

export const noAlerts = (): Alerts => new Map();

/** No code has a slash. */
export const alertKey = ({ code, subject }: AlertSubject): string => `${code}/${subject}`;

export const isOver = ({ lastAt }: LiveAlert, at: Millis): boolean => at - lastAt >= liveMs;

/** Updates `state` in place. */
export function evolveAlerts(state: Alerts, { type, at, data }: AlertEvent): Alerts {
  const key = alertKey(data);
  state.delete(key);
  const { code, subject } = data;
  switch (type) {
    case 'AlertRaised':
      return state.set(key, { code, subject, message: data.message, since: at, lastAt: at });
    case 'AlertContinued':
      return state.set(key, { code, subject, message: data.message, since: data.since, lastAt: at });
    case 'AlertEnded':
      return state;
  }
}
