// When resources were created, and where their creation stands: for cursors and repeats whose document is gone or lacks it.
import type { StoredRecord } from '../../../domain/message.ts';
import type { Follower } from './control-tail.ts';

export interface Creation {
  readonly at: number;
  readonly offset: number;
  readonly workspace: string;
}

/** About 15 MB; a cursor or repeat that names an older, deleted resource is refused with a reason. */
const keptMax = 100_000;

const idFieldByType: Readonly<Record<string, string>> = {
  WebhookCreated: 'webhookId',
  SubscriptionCreated: 'subscriptionId',
  SourceDeploying: 'sourceId',
};

export class Created implements Follower {
  readonly #creations = new Map<string, Creation>();

  accept(record: StoredRecord): void {
    const field = idFieldByType[record.type];
    if (field === undefined) return;
    const id = (record.data as Record<string, unknown>)[field];
    if (typeof id !== 'string' || isUpdate(record)) return;
    this.#creations.delete(id);
    this.#creations.set(id, { at: record.at, offset: record.offset, workspace: record.workspace });
    if (this.#creations.size > keptMax) this.#dropOldest();
  }

  find(id: string): Creation | undefined {
    return this.#creations.get(id);
  }

  #dropOldest(): void {
    const [oldest] = this.#creations.keys();
    if (oldest !== undefined) this.#creations.delete(oldest);
  }
}

/** A source's later revisions do not create it again. */
const isUpdate = ({ type, data }: StoredRecord): boolean =>
  type === 'SourceDeploying' && (data as { readonly revision?: number }).revision !== 1;
