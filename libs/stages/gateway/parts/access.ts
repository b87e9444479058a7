// Knows who may call: holders of valid API keys, and sessions of the console, each of which belongs to such a key.
import type { Ambient } from '../../../domain/ambient.ts';
import type { EndedSessions } from '../control/access/ended-sessions.ts';
import type { KeyUses } from '../control/access/key-uses.ts';
import { isExpired } from '../control/api-keys.ts';
import type { ApiKey, KnownApiKeys } from '../control/api-keys.ts';
import type { OneTimeLinks } from '../session/one-time-links.ts';
import type { Session, Sessions } from '../session/sessions.ts';

export type UnusableKey = 'not known' | 'expired';

export interface AccessOptions {
  readonly ambient: Pick<Ambient, 'now'>;
  readonly apiKeys: KnownApiKeys;
  readonly keyUses: KeyUses;
  readonly sessions: Sessions;
  readonly endedSessions: EndedSessions;
  readonly links: OneTimeLinks;
  /** Reads the log to its end. Throws ApiProblem 503 if that takes too long. */
  readonly ensureCurrent: () => Promise<void>;
}

export class Access {
  readonly keyUses: KeyUses;
  readonly sessions: Sessions;
  readonly links: OneTimeLinks;
  readonly #options: AccessOptions;
  #firstKeyHash: string | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.keyUses = options.keyUses;
    this.sessions = options.sessions;
    this.links = options.links;
  }

  /** The key with this hash, or why it cannot be used. */
  async keyOf(apiKeyHash: string): Promise<ApiKey | UnusableKey> {
    const known = this.currentKey(apiKeyHash);
    if (known !== 'not known') return known;
    await this.#options.ensureCurrent();
    return this.currentKey(apiKeyHash);
  }

  /** Like `keyOf`, but only from memory. */
  currentKey(apiKeyHash: string): ApiKey | UnusableKey {
    const key = this.#options.apiKeys.find(apiKeyHash);
    if (key === undefined) return 'not known';
    return isExpired(key, this.#options.ambient.now()) ? 'expired' : key;
  }

  /** Only from memory; returns an expired key, too. */
  storedKey(apiKeyHash: string): ApiKey | undefined {
    return this.#options.apiKeys.find(apiKeyHash);
  }

  /** All keys of the workspace, after the log was read to its end. */
  async keysOf(workspace: string): Promise<readonly ApiKey[]> {
    await this.#options.ensureCurrent();
    return this.#options.apiKeys.ofWorkspace(workspace);
  }

  /** Whether the session has neither ended nor expired. */
  isSignedIn({ workspace }: ApiKey, session: Session): boolean {
    const { ambient, endedSessions } = this.#options;
    return session.expiresAt > ambient.now() && !endedSessions.has(workspace, session);
  }

  /** Sets the key of the data directory, once it is prepared. */
  setFirstKey(apiKeyHash: string): void {
    this.#firstKeyHash = apiKeyHash;
  }

  /** A token that signs in once with the key of the data directory; undefined: this key cannot be used. */
  signInToken(): string | undefined {
    const hash = this.#firstKeyHash;
    return hash === undefined || typeof this.currentKey(hash) === 'string' ? undefined : this.links.issue(hash);
  }
}
