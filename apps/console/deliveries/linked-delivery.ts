// Finds the delivery that the address names, even if it is not in the list; if the address names none, the newest.
import { useSearchParams } from 'wouter';
import { useRecord } from '../api/record.ts';
import type { Delivery } from '../api/records.ts';

interface LinkedDelivery {
  /** Undefined: it is still loading, there is none, or `error` says why it cannot be shown. */
  readonly delivery: Delivery | undefined;
  readonly error: unknown;
}

export function useLinkedDelivery(items: readonly Delivery[]): LinkedDelivery {
  const [search] = useSearchParams();
  const id = search.get('delivery');
  const listed = id === null ? items[0] : items.find((delivery) => delivery.id === id);
  const isUnlisted = id !== null && listed === undefined;
  const record = useRecord<Delivery>(isUnlisted ? `/v1/deliveries/${encodeURIComponent(id)}` : undefined);
  if (!isUnlisted) return { delivery: listed, error: null };
  return { delivery: record.data, error: record.data === undefined ? record.error : null };
}
