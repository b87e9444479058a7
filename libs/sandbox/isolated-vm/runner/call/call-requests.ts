// Counts the HTTP requests of one invocation, keeps the first ones for its record, and limits their bytes.
import type { ComponentRequest, ComponentRequests } from '../../../../domain/component/output.ts';
import { secretMask } from '../../../../domain/secrets/mask.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';

/** At least the longest host name with a port. */
const hostUnitsMax = 260;

export class CallRequests {
  readonly #limits: SandboxLimits['network'];
  readonly #list: ComponentRequest[] = [];
  #count = 0;
  #bytes = 0;

  constructor(limits: SandboxLimits['network']) {
    this.#limits = limits;
  }

  add(request: ComponentRequest): void {
    this.#count++;
    if (this.#list.length < this.#limits.listedMax) this.#list.push(request);
  }

  /** Counts bytes; returns the reason if they exceed the limit. */
  countBytes(bytes: number): string | undefined {
    this.#bytes += bytes;
    const { runBytes } = this.#limits;
    return this.#bytes > runBytes ? `One run may send and receive ${runBytes} bytes in bodies` : undefined;
  }

  /** Masks secrets, because a component can put any text into the name of a host. */
  toRecord(secrets: readonly string[]): ComponentRequests | undefined {
    if (this.#count === 0) return undefined;
    const mask = secretMask(secrets);
    const list = this.#list.map(({ method, host, status, durationMs }) => ({
      method: mask(method),
      host: mask(host).slice(0, hostUnitsMax),
      status,
      durationMs,
    }));
    return { count: this.#count, list };
  }
}
