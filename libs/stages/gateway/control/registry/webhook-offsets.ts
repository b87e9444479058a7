// Keeps the offsets of the webhooks' definitions: for a repeated request, the signing key is read from there.
import type { FollowedTopic } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import { isTombstone } from '../../../loop/restoring/definitions.ts';
import type { Follower } from '../control-tail.ts';

export class WebhookOffsets implements Follower {
  readonly #offsets = new Map<string, number>();

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic !== 'webhooks') return;
    if (isTombstone(record)) this.#offsets.delete(record.key);
    else if (record.type === 'WebhookDefined') this.#offsets.set(record.key, record.offset);
  }

  /** The offset on `webhooks`; undefined: there is no such webhook. */
  find(webhookId: string): number | undefined {
    return this.#offsets.get(webhookId);
  }
}
