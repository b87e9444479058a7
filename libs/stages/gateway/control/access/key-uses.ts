// Tracks when each API key was last used: in memory to the minute, on the log once a day.
import type { Millis } from '../../../../domain/message.ts';
import type { ApiKey } from '../api-keys.ts';

const minuteMs = 60_000;
/** Once a day: there are many requests, and commands stay on the log forever. */
const toldEveryMs = 24 * 60 * 60 * 1_000;
/** How long after a failed append a use is reported again. */
const retryMs = 60_000;

export interface KeyUsesOptions {
  readonly now: () => Millis;
  readonly tell: (key: ApiKey, usedAt: Millis) => Promise<void>;
}

/** Beyond this, the key whose last use is the oldest is dropped; its last use on the log stays known. */
const usesMax = 10_000;

interface Use {
  readonly usedAt: Millis;
  readonly tellAt: Millis;
}

export class KeyUses {
  readonly #options: KeyUsesOptions;
  readonly #uses = new Map<string, Use>();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Must be called for each admitted request. Never throws, and waits for nothing. */
  note(key: ApiKey): void {
    const { now, tell } = this.#options;
    const usedAt = toTheMinute(now());
    const use = this.#uses.get(key.keyId);
    if (use?.usedAt === usedAt) return;
    const tellAt = use?.tellAt ?? (key.usedAt === null ? 0 : key.usedAt + toldEveryMs);
    const isDue = tellAt <= usedAt;
    this.#keep(key.keyId, { usedAt, tellAt: isDue ? usedAt + toldEveryMs : tellAt });
    if (isDue) tell(key, usedAt).catch(() => this.#keep(key.keyId, { usedAt, tellAt: usedAt + retryMs }));
  }

  /** Null: not used yet. */
  lastUseOf({ keyId, usedAt }: ApiKey): Millis | null {
    const here = this.#uses.get(keyId)?.usedAt;
    return here === undefined ? usedAt : Math.max(here, usedAt ?? 0);
  }

  #keep(keyId: string, use: Use): void {
    this.#uses.delete(keyId);
    this.#uses.set(keyId, use);
    if (this.#uses.size <= usesMax) return;
    for (const oldest of this.#uses.keys()) return void this.#uses.delete(oldest);
  }
}

const toTheMinute = (at: Millis): Millis => at - (at % minuteMs);
