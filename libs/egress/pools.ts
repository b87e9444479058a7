// Keeps connection pools by origin behind the address guard, bounded in number and in connections.
import type { Dispatcher } from 'undici';
import { resolvesInTime } from '../primitives/time-limit.ts';
import type { EgressGuard } from './guard.ts';
import { TrackedClient } from './connection.ts';
import { Pool } from './undici.ts';

/** Far more than callers use, who share an origin fairly among its listeners: a queue here would not be fair. */
const connectionsMax = 512;
/** A pool takes some KiB even when idle; the least recently used origin is dropped. */
const originsMax = 1_024;
/** Most servers close idle connections after 5 s or later: closing first avoids sending on one that is being closed. */
const keepAliveMs = 4_000;

class OriginPool extends Pool {
  /** The owner of the newest request: a connection that is opened now is most likely for that request. */
  owner = '';
}

export class OriginPools {
  readonly #pools = new Map<string, OriginPool>();
  /** Pools whose last requests run, and when they have ended. */
  readonly #closing = new Map<OriginPool, Promise<void>>();
  readonly #guard: EgressGuard;
  readonly #originsMax: number;
  readonly #connectionsMax: number;

  constructor(
    guard: EgressGuard,
    limits: { readonly originsMax?: number | undefined; readonly connectionsMax?: number | undefined } = {},
  ) {
    this.#guard = guard;
    this.#connectionsMax = limits.connectionsMax ?? connectionsMax;
    this.#originsMax = limits.originsMax ?? originsMax;
  }

  get size(): number {
    return this.#pools.size;
  }

  /**
   * Returns the pool of `https://host:port`, created if there is none. `owner`: who sends the next request through it.
   */
  poolOf(origin: string, owner = ''): Dispatcher {
    const pool = this.#pools.get(origin) ?? this.#open(origin);
    pool.owner = owner;
    if (this.#pools.size > 1) {
      this.#pools.delete(origin);
      this.#pools.set(origin, pool);
    }
    return pool;
  }

  /** Closes each connection when its request has ended; after `waitMs` aborts those that still run. */
  async close(waitMs: number): Promise<void> {
    for (const pool of this.#pools.values()) this.#close(pool);
    this.#pools.clear();
    const pools = [...this.#closing.keys()];
    await resolvesInTime(Promise.all(this.#closing.values()), waitMs);
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #open(origin: string): OriginPool {
    const oldest = this.#pools.entries().next().value;
    if (oldest !== undefined && this.#pools.size >= this.#originsMax) {
      this.#pools.delete(oldest[0]);
      this.#close(oldest[1]);
    }
    const pool: OriginPool = new OriginPool(origin, {
      connect: this.#guard.connector(() => pool.owner),
      factory: (at, options) => new TrackedClient(at, options),
      connections: this.#connectionsMax,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // The caller times the whole exchange; these would time only parts of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pools.set(origin, pool);
    return pool;
  }

  #close(pool: OriginPool): void {
    const closing = pool.close().finally(() => this.#closing.delete(pool));
    this.#closing.set(pool, closing);
  }
}
