// Tracks when each API key was last used: in memory to the minute, on the log once a day.
import type { Millis } from '../../../../domain/message.ts';
import type { ApiKey } from '../api-keys.ts';

const minuteMs = 60_000;
/** Once a day: there are many requests, and commands stay on the log forever. */
const reportIntervalMs = 24 * 60 * 60 * 1_000;
/** How long after a failed append a use is reported again. */
const retryMs = 60_000;

export interface KeyUsesOptions {
  readonly now: () => Millis;
  readonly report: (key: ApiKey, usedAt: Millis) => Promise<void>;
}

/** Beyond this, the key whose last use is the oldest is dropped; its last use on the log stays known. */
const usesMax = 10_000;

interface Use {
  readonly usedAt: Millis;
  readonly reportAt: Millis;
}

export class KeyUses {
  readonly #options: KeyUsesOptions;
  readonly #uses = new Map<string, Use>();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Must be called for each admitted request. Never throws, and waits for nothing. */
  recordUse(key: ApiKey): void {
    const { now, report } = this.#options;
    const usedAt = truncateToMinute(now());
    const use = this.#uses.get(key.keyId);
    if (use?.usedAt === usedAt) return;
    const reportAt = use?.reportAt ?? (key.usedAt === null ? 0 : key.usedAt + reportIntervalMs);
    const isDue = reportAt <= usedAt;
    this.#store(key.keyId, { usedAt, reportAt: isDue ? usedAt + reportIntervalMs : reportAt });
    if (isDue) report(key, usedAt).catch(() => this.#store(key.keyId, { usedAt, reportAt: usedAt + retryMs }));
  }

  /** Null: not used yet. */
  lastUseOf({ keyId, usedAt }: ApiKey): Millis | null {
    const localUse = this.#uses.get(keyId)?.usedAt;
    return localUse === undefined ? usedAt : Math.max(localUse, usedAt ?? 0);
  }

  #store(keyId: string, use: Use): void {
    this.#uses.delete(keyId);
    this.#uses.set(keyId, use);
    if (this.#uses.size <= usesMax) return;
    for (const oldest of this.#uses.keys()) return void this.#uses.delete(oldest);
  }
}

const truncateToMinute = (at: Millis): Millis => at - (at % minuteMs);
