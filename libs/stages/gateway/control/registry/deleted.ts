// Remembers what was deleted since this gateway started: cursors can name it, and requests can ask what became of it.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { Follower } from '../control-tail.ts';

export interface Deleted {
  readonly workspace: string;
  readonly createdAt: number;
}

/** About 1.5 MB; a cursor that names something deleted earlier is refused with a reason. */
const keptMax = 10_000;

export class DeletedThings implements Follower {
  readonly #things = new Map<string, Deleted>();

  accept({ type, data, workspace }: RecordOn<FollowedTopic>): void {
    if (type === 'SourceDeleted') this.#keep(data.sourceId, workspace, data.createdAt);
    if (type === 'WebhookDeleted') this.#keep(data.webhookId, workspace, data.createdAt);
    if (type === 'AccountDeleted') this.#keep(data.accountId, workspace, data.createdAt);
    if (type === 'SubscriptionDeleted') this.#keep(data.subscriptionId, workspace, data.createdAt);
  }

  find(id: string): Deleted | undefined {
    return this.#things.get(id);
  }

  /** Keeps nothing without `createdAt`, which records of an earlier program lack. */
  #keep(id: string, workspace: string, createdAt: number | undefined): void {
    if (createdAt === undefined) return;
    this.#things.set(id, { workspace, createdAt });
    const [oldest] = this.#things.keys();
    if (this.#things.size > keptMax && oldest !== undefined) this.#things.delete(oldest);
  }
}
