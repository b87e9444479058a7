// Measures the upper bound of deliveries: a loop over the same pools that only signs and sends.
import { pipedreamSignature, standardSignature } from '../../../libs/domain/delivery/signature.ts';
import { OriginPools } from '../../../libs/egress/index.ts';
import type { EgressGuard } from '../../../libs/egress/index.ts';
import { eventOf, signingKey } from '../delivery/records.ts';

const body = JSON.stringify(eventOf(0));

/** Returns posts per second, to each origin in turn. */
export async function barePosts(
  guard: EgressGuard,
  origins: readonly string[],
  { inFlight, count }: { readonly inFlight: number; readonly count: number },
): Promise<number> {
  const pools = new OriginPools(guard);
  const startedAt = performance.now();
  let sent = 0;
  const postUntilDone = async (): Promise<void> => {
    while (sent < count) await post(pools, origins[sent % origins.length] ?? '', sent++);
  };
  await Promise.all(Array.from({ length: inFlight }, postUntilDone));
  const ms = performance.now() - startedAt;
  await pools.close(1_000);
  return (count * 1000) / ms;
}

function post(pools: OriginPools, origin: string, n: number): Promise<void> {
  const id = `msg_${n}`;
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature([signingKey], { id, timestampSeconds, body }),
    'x-pd-signature': pipedreamSignature([signingKey], { id, timestampSeconds, body }),
  };
  return new Promise((resolve, reject) => {
    const handler = {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd: () => resolve(),
      onResponseError: (_: unknown, error: Error) => reject(error),
    };
    pools.poolOf(origin).dispatch({ method: 'POST', path: '/', headers, body }, handler);
  });
}
