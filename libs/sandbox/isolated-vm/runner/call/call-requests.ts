// The HTTP requests of one invocation: counts them, keeps the first ones for its record, and bounds their bytes.
import type { ComponentRequest, ComponentRequests } from '../../../../domain/component/output.ts';
import { secretMask } from '../../../../domain/secrets/mask.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';

/** The longest host name, with its port. */
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

  /** Returns why, when it is too much. */
  transfer(bytes: number): string | undefined {
    this.#bytes += bytes;
    const { runBytes } = this.#limits;
    return this.#bytes > runBytes ? `One run may send and receive ${runBytes} bytes in bodies` : undefined;
  }

  /** A component may put what it likes into the name of a host, so secrets are masked. */
  shown(secrets: readonly string[]): ComponentRequests | undefined {
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
