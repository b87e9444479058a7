// A runner's way to the network, shared by its isolates: opened for the first request; bounds what it holds for all.
import type { EgressGuard, EgressProxy, OriginPools, Requester } from '../../../../egress/index.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';
import type { EgressSettings } from '../../runner-protocol.ts';

/** Requests that nobody waits for any more, whose connections are still being made and cannot be given up earlier. */
interface Abandoned {
  readonly count: number;
  readonly bodyBytes: number;
}

export class Network {
  readonly #limits: SandboxLimits['network'];
  readonly #settings: EgressSettings;
  #proxy: EgressProxy | undefined;
  #requester: Promise<Requester> | undefined;
  #heldBytes = 0;
  readonly #abandoned = new Map<string, Abandoned>();

  constructor(limits: SandboxLimits['network'], settings: EgressSettings) {
    this.#limits = limits;
    this.#settings = settings;
  }

  /** Called before the first request. */
  leaveBy(proxy: EgressProxy): void {
    this.#proxy = proxy;
  }

  /** Loading it takes memory that most runners never need. */
  requester(): Promise<Requester> {
    // What failed once, for want of a descriptor, may go well the next time.
    this.#requester ??= this.#open().catch((error: unknown) => {
      this.#requester = undefined;
      throw error;
    });
    return this.#requester;
  }

  /** Whether there is room; what was taken must be released. */
  hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#limits.heldBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  /** Of one source, whichever of its instances made the requests. */
  abandonedOf(sourceId: string): Abandoned {
    return this.#abandoned.get(sourceId) ?? { count: 0, bodyBytes: 0 };
  }

  abandon(sourceId: string, bodyBytes: number): void {
    const { count, bodyBytes: before } = this.abandonedOf(sourceId);
    this.#abandoned.set(sourceId, { count: count + 1, bodyBytes: before + bodyBytes });
  }

  forget(sourceId: string, bodyBytes: number): void {
    const { count, bodyBytes: before } = this.abandonedOf(sourceId);
    if (count > 1) this.#abandoned.set(sourceId, { count: count - 1, bodyBytes: before - bodyBytes });
    else this.#abandoned.delete(sourceId);
  }

  async #open(): Promise<Requester> {
    const egress = await import('../../../../egress/index.ts');
    const guard: EgressGuard = new egress.EgressGuard(this.#settings.allow, this.#settings.map, undefined, this.#proxy);
    const pools: OriginPools = new egress.OriginPools(guard);
    return new egress.Requester(pools, this.#limits);
  }
}
