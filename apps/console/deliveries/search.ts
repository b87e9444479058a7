// The filters of a search for deliveries: reads them from the address, and makes the query to the service.

/** Unchecked texts from the address. */
export interface DeliveryFilters {
  /** A part of an id, the event name, or the last error or answer. */
  readonly q?: string;
  readonly state?: string;
  readonly source_id?: string;
  readonly webhook_id?: string;
  readonly subscription_id?: string;
  readonly event_id?: string;
  readonly status?: string;
  /** How many hours back the events were emitted. */
  readonly hours?: string;
}

const names = ['q', 'state', 'source_id', 'webhook_id', 'subscription_id', 'event_id', 'status', 'hours'] as const;

export function filtersIn(search: URLSearchParams): DeliveryFilters {
  const entries = names.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export function withFilter(
  filters: DeliveryFilters,
  name: keyof DeliveryFilters,
  value: string | null,
): DeliveryFilters {
  const others = Object.entries(filters).filter(([other]) => other !== name);
  return Object.fromEntries(value === null || value === '' ? others : [...others, [name, value]]);
}

/** Values of these filters are sent only once they are complete, not while they are being typed. */
const completePatterns: Readonly<Record<string, RegExp>> = {
  event_id: /^\d+-\d+$/,
  status: /^[0-5]?\d{1,2}$/,
};

const hourMs = 3_600_000;

/** `nowMs`: epoch ms from which `hours` counts back. */
export function queryOf(
  { hours, ...filters }: DeliveryFilters,
  nowMs: number,
): Readonly<Record<string, string | number>> {
  const completeFilters = Object.entries(filters).filter(
    ([name, value]) => completePatterns[name]?.test(value) ?? true,
  );
  return {
    ...Object.fromEntries(completeFilters),
    ...(Number(hours) > 0 ? { from: nowMs - Number(hours) * hourMs } : {}),
  };
}

/** Whether the service must examine deliveries one by one; its answer then has no total count. */
export const isSearch = ({ q, status, source_id, webhook_id, subscription_id }: DeliveryFilters): boolean =>
  q !== undefined || status !== undefined || [source_id, webhook_id, subscription_id].filter(Boolean).length > 1;
