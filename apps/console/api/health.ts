// The service's health: whether it answers, whether its stages make progress, and which alerts need an operator.
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Health } from './records.ts';

const refetchMs = 10_000;
const timeoutMs = 5_000;

/** An answer 503 has the same body as one of 200. */
async function fetchHealth(): Promise<Health> {
  try {
    const response = await fetch('/health', { signal: AbortSignal.timeout(timeoutMs) });
    return (await response.json()) as Health;
  } catch {
    return { status: 'unreachable' };
  }
}

export const useHealth = (): UseQueryResult<Health> =>
  useQuery({ queryKey: ['health'], queryFn: fetchHealth, refetchInterval: refetchMs });
