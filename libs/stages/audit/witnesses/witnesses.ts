// Keeps which workspaces have a subscription to `$audit`: only these are sent checkpoints.
import { auditChannel } from '../../../domain/service-channels/witness.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

/** Their events share an append with the checkpoints: further workspaces are sent nothing. */
const workspacesMax = 1_000;

class Witnesses {
  /** The workspace of each subscription, by the subscription's id. */
  readonly #workspaces = new Map<string, string>();

  /** Applies a record of `subscriptions`; repeating it changes nothing. */
  accept(record: MessageOn<'subscriptions'>): void {
    if (record.type !== 'SubscriptionDefined') return;
    const { key, workspace } = record;
    if (isTombstone(record)) this.#workspaces.delete(key);
    else if (record.data.eventName === auditChannel && isEverySource(record.data.emitterId))
      this.#workspaces.set(key, workspace);
  }

  get workspaces(): readonly string[] {
    return [...new Set(this.#workspaces.values())].slice(0, workspacesMax);
  }
}

export interface KnownWitnesses {
  readonly witnesses: Witnesses;
  /** The next offset to read of each partition of `subscriptions`. */
  readonly next: readonly number[];
}

/** Reads all subscriptions, before the first round, so that it leaves no workspace out. */
export async function restoreWitnesses(log: Pick<CheckedLog, 'read' | 'partitions'>): Promise<KnownWitnesses> {
  const witnesses = new Witnesses();
  const next: number[] = [];
  for (let partition = 0; partition < log.partitions; partition++) {
    next.push(await forEachRecord(log, { topic: 'subscriptions', partition }, (record) => witnesses.accept(record)));
  }
  return { witnesses, next };
}
