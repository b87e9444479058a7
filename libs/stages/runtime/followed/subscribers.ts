// Keeps which sources have a subscription to `$logs`, and nothing of other subscriptions.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import { logsChannel } from '../../../domain/run/logs-report.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

/** The id of the source, or of the workspace for all its sources: the two kinds of id never clash. */
export const emitterKeyOf = (emitterId: string, workspace: string): string =>
  isEverySource(emitterId) ? workspace : emitterId;

export class LogsSubscribers {
  /** The `emitterKeyOf` each subscription, by the key of its record. */
  readonly #keys = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** How many subscriptions there are. */
  get size(): number {
    return this.#keys.size;
  }

  /** Applies a record of `subscriptions`; idempotent. */
  accept(record: MessageOn<'subscriptions'>): void {
    const { key, workspace } = record;
    if (record.type !== 'SubscriptionDefined') return;
    if (isTombstone(record)) this.#remove(key);
    else if (record.data.eventName === logsChannel) this.#add(key, emitterKeyOf(record.data.emitterId, workspace));
  }

  has(sourceId: string, workspace: string): boolean {
    return this.#counts.has(sourceId) || this.#counts.has(workspace);
  }

  #add(subscriptionId: string, emitterKey: string): void {
    if (this.#keys.has(subscriptionId)) return;
    this.#keys.set(subscriptionId, emitterKey);
    this.#counts.set(emitterKey, (this.#counts.get(emitterKey) ?? 0) + 1);
  }

  #remove(subscriptionId: string): void {
    const emitterKey = this.#keys.get(subscriptionId);
    if (emitterKey === undefined) return;
    this.#keys.delete(subscriptionId);
    const remaining = (this.#counts.get(emitterKey) ?? 0) - 1;
    if (remaining > 0) this.#counts.set(emitterKey, remaining);
    else this.#counts.delete(emitterKey);
  }
}
