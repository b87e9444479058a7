// Who an API key belongs to: hashes from the topic `workspaces`, never a key.
import { createHash } from 'node:crypto';
import type { StoredRecord } from '../../../domain/message.ts';
import type { WorkspaceEvent } from '../../../domain/workspace/messages.ts';
import type { Follower } from './control-tail.ts';

/** Whoever presented a known key. */
export interface Caller {
  readonly workspace: string;
  readonly userId: string;
}

export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

export class ApiKeys implements Follower {
  readonly #callers = new Map<string, Caller>();

  accept(stored: StoredRecord): void {
    const record = stored as StoredRecord<WorkspaceEvent>;
    if (record.type !== 'ApiKeyAdded') return;
    const { hash, userId } = record.data;
    this.#callers.set(hash, { workspace: record.workspace, userId });
  }

  callerOf(hash: string): Caller | undefined {
    return this.#callers.get(hash);
  }
}
