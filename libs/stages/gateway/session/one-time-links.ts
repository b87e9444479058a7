// Issues tokens that sign in once: printed as a link where the service is started by hand.
import { createHash } from 'node:crypto';
import type { Ambient } from '../../../domain/ambient.ts';

/** Long enough to switch to a browser, short enough that an old terminal opens nothing. */
const validMs = 10 * 60 * 1_000;
/** 256 bits. */
const tokenBytes = 32;
/** Each start prints one. */
const tokensMax = 10;

interface IssuedToken {
  readonly keyHash: string;
  /** On the monotonic clock. */
  readonly expiresAtMs: number;
}

export class OneTimeLinks {
  readonly #ambient: Pick<Ambient, 'randomBytes'>;
  readonly #nowMs: () => number;
  /** By the token's hash, so that the duration of a look-up reveals nothing about a token. */
  readonly #issued = new Map<string, IssuedToken>();

  /** `nowMs`: a clock that never goes back. */
  constructor(ambient: Pick<Ambient, 'randomBytes'>, nowMs: () => number = () => performance.now()) {
    this.#ambient = ambient;
    this.#nowMs = nowMs;
  }

  /** A new token for the key with this hash. */
  issue(keyHash: string): string {
    const token = this.#ambient.randomBytes(tokenBytes).toString('base64url');
    for (const oldest of this.#issued.keys()) if (this.#issued.size >= tokensMax) this.#issued.delete(oldest);
    this.#issued.set(hashOf(token), { keyHash, expiresAtMs: this.#nowMs() + validMs });
    return token;
  }

  /** Returns the key's hash and deletes the token; undefined: it is unknown, used or too old. */
  redeem(token: string): string | undefined {
    const issued = this.#issued.get(hashOf(token));
    this.#issued.delete(hashOf(token));
    return issued !== undefined && issued.expiresAtMs > this.#nowMs() ? issued.keyHash : undefined;
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
