// Remembers what was deleted since this gateway started: cursors can name it, and requests can ask what became of it.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { Follower } from '../control-tail.ts';

export interface DeletedThing {
  readonly workspace: string;
  readonly createdAt: number;
}

/** About 1.5 MB; a cursor that names something deleted earlier is refused with a reason. */
const retainedMax = 10_000;

export class DeletedThings implements Follower {
  readonly #things = new Map<string, DeletedThing>();

  accept({ type, data, workspace }: RecordOn<FollowedTopic>): void {
    if (type === 'SourceDeleted') this.#remember(data.sourceId, workspace, data.createdAt);
    if (type === 'WebhookDeleted') this.#remember(data.webhookId, workspace, data.createdAt);
    if (type === 'AccountDeleted') this.#remember(data.accountId, workspace, data.createdAt);
    if (type === 'SubscriptionDeleted') this.#remember(data.subscriptionId, workspace, data.createdAt);
  }

  find(id: string): DeletedThing | undefined {
    return this.#things.get(id);
  }

  /** Keeps nothing without `createdAt`, which records of an earlier program lack. */
  #remember(id: string, workspace: string, createdAt: number | undefined): void {
    if (createdAt === undefined) return;
    this.#things.set(id, { workspace, createdAt });
    const [oldest] = this.#things.keys();
    if (this.#things.size > retainedMax && oldest !== undefined) this.#things.delete(oldest);
  }
}
