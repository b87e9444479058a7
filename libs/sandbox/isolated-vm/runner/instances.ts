// Keeps the isolates of one runner, by source and revision, and disposes the least recently used if there are too many.
import type { InvokeOrder } from '../runner-protocol.ts';
import { Instance } from './instance.ts';
import type { InstanceHost } from './instance.ts';
import { lostMessage } from './call/ended-message.ts';

export class Instances {
  readonly #host: InstanceHost;
  /** By source, least recently used first. */
  readonly #current = new Map<string, Instance>();
  /** Instances replaced by a newer revision whose invocations still run. */
  readonly #retired = new Set<Instance>();

  /** When an invocation of the instance was last seen under way. */
  readonly #usedAt = new WeakMap<Instance, number>();

  constructor(host: InstanceHost) {
    this.#host = host;
  }

  get size(): number {
    return this.#current.size;
  }

  invoke(order: InvokeOrder): void {
    const instance = this.#find(order);
    if (!instance && order.follows) {
      this.#host.send(lostMessage(order.id));
      return;
    }
    if (!instance) {
      this.#host.send({ type: 'missing', id: order.id });
      return;
    }
    this.#current.delete(order.sourceId);
    this.#current.set(order.sourceId, instance);
    this.#usedAt.set(instance, performance.now());
    instance.invoke(order);
  }

  #find(order: InvokeOrder): Instance | undefined {
    const existing = this.#current.get(order.sourceId);
    const memoryMb = order.memoryMb ?? this.#host.template.memoryMb;
    const isMatching = existing?.revision === order.revision && existing.memoryMb === memoryMb;
    if (existing && !existing.hasEnded && isMatching) return existing;
    if (!order.load) return undefined;
    if (existing) this.#retire(existing);
    this.#evictIdle(this.#host.limits.instancesMax - 1);
    return new Instance(this.#host, order, order.load);
  }

  /** The old revision only finishes its invocations, because its db is out of date once another revision runs. */
  #retire(instance: Instance): void {
    if (instance.isIdle) instance.dispose();
    else this.#retired.add(instance);
  }

  /** Disposes idle instances, the least recently used first, until at most `count` are left. */
  #evictIdle(count: number): void {
    for (const [sourceId, instance] of this.#current) {
      if (this.#current.size <= count) return;
      if (!instance.isIdle && !instance.hasEnded) continue;
      instance.dispose();
      this.#current.delete(sourceId);
    }
  }

  /** Disposes idle instances until half of all are left; call when this process uses too much memory. */
  shrink(): void {
    this.#evictIdle(Math.floor(this.#current.size / 2));
  }

  unload(sourceId: string): void {
    this.#current.get(sourceId)?.dispose();
    this.#current.delete(sourceId);
    for (const instance of this.#retired) if (instance.sourceId === sourceId) instance.dispose();
  }

  #isUnused(instance: Instance, now: number): boolean {
    if (!instance.isIdle) this.#usedAt.set(instance, now);
    return now - (this.#usedAt.get(instance) ?? now) > this.#host.limits.instanceIdleMs;
  }

  /** Call regularly: enforces time limits, and removes ended and long unused instances. */
  check(): void {
    const now = performance.now();
    for (const [sourceId, instance] of this.#current) {
      instance.checkTime();
      if (this.#isUnused(instance, now)) instance.dispose();
      if (instance.hasEnded) this.#current.delete(sourceId);
    }
    for (const instance of this.#retired) {
      if (instance.isIdle) instance.dispose();
      else instance.checkTime();
      if (instance.hasEnded) this.#retired.delete(instance);
    }
  }
}
