// Finds the delivery that the address names, even if it is not in the list; if the address names none, the newest.
import { useSearchParams } from 'wouter';
import { useRecord } from '../api/record.ts';
import type { Delivery } from '../api/records.ts';

interface Linked {
  /** Undefined: it is still loading, there is none, or `error` says why it cannot be shown. */
  readonly delivery: Delivery | undefined;
  readonly error: unknown;
}

export function useLinked(items: readonly Delivery[]): Linked {
  const [search] = useSearchParams();
  const id = search.get('delivery');
  const listed = id === null ? items[0] : items.find((delivery) => delivery.id === id);
  const isAsked = id !== null && listed === undefined;
  const asked = useRecord<Delivery>(isAsked ? `/v1/deliveries/${encodeURIComponent(id)}` : undefined);
  if (!isAsked) return { delivery: listed, error: null };
  return { delivery: asked.data, error: asked.data === undefined ? asked.error : null };
}
