// A runner's access to the network, shared by its isolates: loaded for the first request, with a limit of held bytes.
import type { EgressGuard, EgressProxy, OriginPools, Requester } from '../../../../egress/index.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';
import type { EgressSettings } from '../../runner-protocol.ts';

/** Requests without a waiting run, whose connections are still being made and cannot be cancelled earlier. */
interface AbandonedRequests {
  readonly count: number;
  readonly bodyBytes: number;
}

export class Network {
  readonly #limits: SandboxLimits['network'];
  readonly #settings: EgressSettings;
  #proxy: EgressProxy | undefined;
  #requester: Promise<Requester> | undefined;
  #reservedBytes = 0;
  readonly #abandoned = new Map<string, AbandonedRequests>();

  constructor(limits: SandboxLimits['network'], settings: EgressSettings) {
    this.#limits = limits;
    this.#settings = settings;
  }

  /** Sets the proxy; call before the first request. */
  setProxy(proxy: EgressProxy): void {
    this.#proxy = proxy;
  }

  /** Loaded at first use, because it takes memory that most runners never need. */
  requester(): Promise<Requester> {
    // A failure, such as too few file descriptors, can be temporary, so the next call tries again.
    this.#requester ??= this.#createRequester().catch((error: unknown) => {
      this.#requester = undefined;
      throw error;
    });
    return this.#requester;
  }

  /** Reserves bytes; false: there is no room. Reserved bytes must be released. */
  reserve(bytes: number): boolean {
    if (this.#reservedBytes + bytes > this.#limits.heldBytes) return false;
    this.#reservedBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#reservedBytes -= bytes;
  }

  /** The abandoned requests of a source, of all of its instances. */
  abandonedOf(sourceId: string): AbandonedRequests {
    return this.#abandoned.get(sourceId) ?? { count: 0, bodyBytes: 0 };
  }

  abandon(sourceId: string, bodyBytes: number): void {
    const { count, bodyBytes: previousBytes } = this.abandonedOf(sourceId);
    this.#abandoned.set(sourceId, { count: count + 1, bodyBytes: previousBytes + bodyBytes });
  }

  settleAbandoned(sourceId: string, bodyBytes: number): void {
    const { count, bodyBytes: previousBytes } = this.abandonedOf(sourceId);
    if (count > 1) this.#abandoned.set(sourceId, { count: count - 1, bodyBytes: previousBytes - bodyBytes });
    else this.#abandoned.delete(sourceId);
  }

  async #createRequester(): Promise<Requester> {
    const egress = await import('../../../../egress/index.ts');
    const guard: EgressGuard = new egress.EgressGuard(this.#settings.allow, this.#settings.map, undefined, this.#proxy);
    const pools: OriginPools = new egress.OriginPools(guard);
    return new egress.Requester(pools, this.#limits);
  }
}
