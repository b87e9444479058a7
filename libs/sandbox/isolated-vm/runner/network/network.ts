// A runner's way to the network, shared by its isolates: made for the first request, and bounded in what it holds for all.
import type { EgressGuard, OriginPools, Requester } from '../../../../egress/index.ts';
import type { SandboxLimits } from '../../limits.ts';
import type { EgressSettings } from '../../protocol.ts';

type Egress = typeof import('../../../../egress/index.ts');

export interface WayOut {
  readonly egress: Egress;
  readonly requester: Requester;
}

export class Network {
  readonly #limits: SandboxLimits['network'];
  readonly #settings: EgressSettings;
  #wayOut: Promise<WayOut> | undefined;
  #heldBytes = 0;

  constructor(limits: SandboxLimits['network'], settings: EgressSettings) {
    this.#limits = limits;
    this.#settings = settings;
  }

  /** Loading it takes memory that most runners never need. */
  wayOut(): Promise<WayOut> {
    this.#wayOut ??= this.#open();
    return this.#wayOut;
  }

  /** Whether there is room; what was taken is to be given back. */
  hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#limits.heldBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  async #open(): Promise<WayOut> {
    const egress = await import('../../../../egress/index.ts');
    const guard: EgressGuard = new egress.EgressGuard(this.#settings.allow);
    const pools: OriginPools = new egress.OriginPools(guard);
    return { egress, requester: new egress.Requester(pools, this.#limits) };
  }
}
