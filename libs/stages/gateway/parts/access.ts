// Who may call: API keys that stand, and sessions of the console, which are such keys' own.
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
  readonly becomeCurrent: () => Promise<void>;
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

  /** The key with this hash, or why there is none that may be used. */
  async keyOf(apiKeyHash: string): Promise<ApiKey | UnusableKey> {
    const known = this.standingKey(apiKeyHash);
    if (known !== 'not known') return known;
    await this.#options.becomeCurrent();
    return this.standingKey(apiKeyHash);
  }

  /** As `keyOf`, from memory alone. */
  standingKey(apiKeyHash: string): ApiKey | UnusableKey {
    const key = this.#options.apiKeys.find(apiKeyHash);
    if (key === undefined) return 'not known';
    return isExpired(key, this.#options.ambient.now()) ? 'expired' : key;
  }

  /** From memory. Also gives an expired key. */
  keptKey(apiKeyHash: string): ApiKey | undefined {
    return this.#options.apiKeys.find(apiKeyHash);
  }

  /** As the log has them now. */
  async keysOf(workspace: string): Promise<readonly ApiKey[]> {
    await this.#options.becomeCurrent();
    return this.#options.apiKeys.ofWorkspace(workspace);
  }

  /** Whether the session has neither ended nor expired. */
  isSignedIn({ workspace }: ApiKey, session: Session): boolean {
    const { ambient, endedSessions } = this.#options;
    return session.expiresAt > ambient.now() && !endedSessions.has(workspace, session);
  }

  /** The key in the data directory, once that is prepared. */
  knowFirstKey(apiKeyHash: string): void {
    this.#firstKeyHash = apiKeyHash;
  }

  /** Signs in once, as the key in the data directory; undefined: that may not be used. */
  signInToken(): string | undefined {
    const hash = this.#firstKeyHash;
    return hash === undefined || typeof this.standingKey(hash) === 'string' ? undefined : this.links.issue(hash);
  }
}
