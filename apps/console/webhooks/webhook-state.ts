// Derives from a webhook's fields whether it is active, failing, paused or disabled, and its order in words.
import type { Webhook } from '../api/records.ts';

export function stateOf({
  active,
  disabled_reason,
  failing_since_ms,
}: Pick<Webhook, 'active' | 'disabled_reason' | 'failing_since_ms'>): string {
  if (active) return failing_since_ms === null ? 'active' : 'failing';
  return disabled_reason === null ? 'paused' : 'disabled';
}

export function orderOf({ ordered, order_key }: Pick<Webhook, 'ordered' | 'order_key'>): string {
  if (!ordered) return 'Any';
  return order_key === null ? 'One after the other' : `By ${order_key}`;
}
