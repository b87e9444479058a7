// Who an API key belongs to: hashes from the topic `workspaces`, never a key.
import { createHash } from 'node:crypto';
import type { FollowedTopic } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Follower } from './control-tail.ts';

/** Whoever presented a known key. */
export interface Caller {
  readonly workspace: string;
  readonly userId: string;
  /** W3C Trace Context of the request, if it came with one. */
  readonly traceparent?: string;
}

export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

export class ApiKeys implements Follower {
  readonly #callers = new Map<string, Caller>();

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.type !== 'ApiKeyAdded') return;
    const { hash, userId } = record.data;
    this.#callers.set(hash, { workspace: record.workspace, userId });
  }

  /** The owner of the oldest key on the log. */
  get first(): Caller | undefined {
    const [oldest] = this.#callers.values();
    return oldest;
  }

  callerOf(hash: string): Caller | undefined {
    return this.#callers.get(hash);
  }
}
