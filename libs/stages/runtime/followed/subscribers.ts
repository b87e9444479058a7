// For which sources a subscription to `$logs` stands: of all other subscriptions nothing is kept.
import { everyEmitter } from '../../../domain/delivery/matching.ts';
import { logsChannel } from '../../../domain/channel/service/printed-run.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

/** A source, or a workspace for every one of its sources: no id is one of both. */
export const emitterKey = (emitterId: string, workspace: string): string =>
  emitterId === everyEmitter ? workspace : emitterId;

export class Subscribers {
  /** Of each subscription, by its id. */
  readonly #keys = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** How many stand. */
  get size(): number {
    return this.#keys.size;
  }

  /** Takes a record of `subscriptions`, again and again if need be. */
  accept(record: MessageOn<'subscriptions'>): void {
    const { key, workspace } = record;
    if (record.type !== 'SubscriptionDefined') return;
    if (isTombstone(record)) this.#remove(key);
    else if (record.data.eventName === logsChannel) this.#add(key, emitterKey(record.data.emitterId, workspace));
  }

  has(sourceId: string, workspace: string): boolean {
    return this.#counts.has(sourceId) || this.#counts.has(workspace);
  }

  #add(subscriptionId: string, of: string): void {
    if (this.#keys.has(subscriptionId)) return;
    this.#keys.set(subscriptionId, of);
    this.#counts.set(of, (this.#counts.get(of) ?? 0) + 1);
  }

  #remove(subscriptionId: string): void {
    const of = this.#keys.get(subscriptionId);
    if (of === undefined) return;
    this.#keys.delete(subscriptionId);
    const left = (this.#counts.get(of) ?? 0) - 1;
    if (left > 0) this.#counts.set(of, left);
    else this.#counts.delete(of);
  }
}
