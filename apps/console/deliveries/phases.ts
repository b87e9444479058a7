// Divides the time of an attempt into its phases, in their order, as far as they are known.
import type { Attempt } from '../api/records.ts';

interface Phase {
  readonly name: 'dns' | 'connect' | 'tls' | 'waiting' | 'reading';
  readonly ms: number;
}

type Times = Pick<Attempt, 'dns_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms' | 'duration_ms'>;

/** Leaves out phases of 0 ms, such as dns on a reused connection. `duration_ms` begins once there is a connection. */
export function phasesOf({ dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms }: Times): readonly Phase[] {
  const waitingMs = Math.min(first_byte_ms ?? duration_ms, duration_ms);
  const phases: readonly Phase[] = [
    { name: 'dns', ms: dns_ms ?? 0 },
    { name: 'connect', ms: connect_ms ?? 0 },
    { name: 'tls', ms: tls_ms ?? 0 },
    { name: 'waiting', ms: waitingMs },
    { name: 'reading', ms: duration_ms - waitingMs },
  ];
  return phases.filter(({ ms }) => ms > 0);
}
