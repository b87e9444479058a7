// Holds the current API keys by hash and by workspace, from the topic `workspaces`; never the text of a key.
import { createHash } from 'node:crypto';
import type { FollowedTopic } from '../../../domain/flow.ts';
import type { Millis } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { firstKeySettings, keyIdOf } from '../../../domain/workspace/api-keys/api-keys.ts';
import type { KeySettings, Scope } from '../../../domain/workspace/api-keys/messages.ts';
import type { Follower } from './control-tail.ts';

export interface KeyOwner {
  readonly workspace: string;
  readonly userId: string;
}

/** Whoever has presented a known key. */
export interface Caller extends KeyOwner {
  readonly keyId: string;
  /** W3C Trace Context of the request, if it came with one. */
  readonly traceparent?: string;
  /** Calls `callback` once the request's client is gone; returns a function that cancels this. Absent: not known. */
  readonly onDisconnect?: (callback: () => void) => () => void;
}

export interface ApiKey extends Caller, KeySettings {
  /** Null: not known. */
  readonly hint: string | null;
  readonly createdAt: Millis;
  /** The last use on the log, exact to a day. Null: not used yet. */
  readonly usedAt: Millis | null;
}

export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A key that may read and write has all scopes: it could create a key with any of them. */
export const hasScope = ({ scopes }: Pick<KeySettings, 'scopes'>, scope: Scope): boolean =>
  scopes.includes(scope) || (scopes.includes('read') && scopes.includes('write'));

export const isExpired = ({ expiresAt }: KeySettings, at: Millis): boolean => expiresAt !== null && expiresAt <= at;

export class KnownApiKeys implements Follower {
  readonly #byHash = new Map<string, ApiKey>();
  /** The hashes of each workspace's keys, by the keys' ids. */
  readonly #hashes = new Map<string, Map<string, string>>();
  readonly #deletedHashes = new Set<string>();
  #firstOwner: KeyOwner | undefined;

  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic !== 'workspaces') return;
    const { workspace, at } = record;
    switch (record.type) {
      case 'ApiKeyAdded': {
        const { hash, userId, hint = null } = record.data;
        this.#firstOwner ??= { workspace, userId };
        const key = { workspace, userId, keyId: keyIdOf(hash), ...firstKeySettings, hint, createdAt: at, usedAt: null };
        return this.#add(hash, key);
      }
      case 'ApiKeyCreated': {
        const { hash, ...created } = record.data;
        return this.#add(hash, { ...created, workspace, createdAt: at, usedAt: null });
      }
      case 'ApiKeyUsed': {
        const hash = this.#hashes.get(workspace)?.get(record.data.keyId) ?? '';
        const key = this.#byHash.get(hash);
        if (key !== undefined) this.#byHash.set(hash, { ...key, usedAt: record.data.usedAt });
        return;
      }
      case 'ApiKeyDeleted':
        return this.#delete(workspace, record.data);
    }
  }

  /** The owner of the oldest key on the log, even if that key was deleted. */
  get firstOwner(): KeyOwner | undefined {
    return this.#firstOwner;
  }

  /** Returns an expired key, too. */
  find(hash: string): ApiKey | undefined {
    return this.#byHash.get(hash);
  }

  /** At most `keysMax` and those in the gateways' own files; in no order. */
  ofWorkspace(workspace: string): readonly ApiKey[] {
    const hashes = this.#hashes.get(workspace)?.values() ?? [];
    return Array.from(hashes, (hash) => this.#byHash.get(hash)).filter((key) => key !== undefined);
  }

  wasDeleted(hash: string): boolean {
    return this.#deletedHashes.has(hash);
  }

  #add(hash: string, key: ApiKey): void {
    this.#byHash.set(hash, key);
    const keyHashes = this.#hashes.get(key.workspace) ?? new Map<string, string>();
    this.#hashes.set(key.workspace, keyHashes.set(key.keyId, hash));
  }

  #delete(workspace: string, { keyId, hash }: { readonly keyId: string; readonly hash: string }): void {
    this.#byHash.delete(hash);
    this.#hashes.get(workspace)?.delete(keyId);
    this.#deletedHashes.add(hash);
  }
}
