// Tells in words whether a webhook gets events, and in which order.
import type { Webhook } from '../../../libs/client/index.ts';
import { plainLine } from './plain-text.ts';

/** `paused`: by its owner. `disabled`: its receiver answered 410. `failing`: every attempt has failed for an hour. */
export function webhookState({
  active,
  disabled_reason: reason,
  failing_since_ms: failing,
}: Webhook): 'active' | 'failing' | 'paused' | 'disabled' {
  if (!active) return reason === null ? 'paused' : 'disabled';
  return typeof failing === 'number' ? 'failing' : 'active';
}

export const orderOf = ({ ordered, order_key: key }: Webhook): string =>
  !ordered ? 'any order' : key === null ? 'in order' : `in order by ${plainLine(key)}`;
