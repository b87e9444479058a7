// Sessions of the console: each belongs to an API key and is encrypted in a cookie, so that no gateway has to store it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ambient } from '../../../domain/ambient.ts';
import type { Millis } from '../../../domain/message.ts';
import { decrypt, encrypt, nonceBytes } from '../../../domain/secrets/seal.ts';
import { SessionCookie } from './session-cookie.ts';

/** A working day. */
export const sessionMs = 12 * 60 * 60 * 1_000;
/** 128 bits. */
const sessionIdBytes = 16;
/** No cookie of ours is longer. */
const sealedCharsMax = 1_024;
/** A request has more only if somebody planted them. */
const cookiesTriedMax = 4;
/** Text that was encrypted for another purpose does not decrypt as a session. */
const purpose = 'console session';

export interface Session {
  readonly id: string;
  readonly keyHash: string;
  readonly issuedAt: Millis;
  readonly expiresAt: Millis;
}

export interface SessionsOptions {
  readonly masterKey: Buffer;
  readonly publicUrl: string;
  readonly ambient: Ambient;
}

export class Sessions {
  readonly cookie: SessionCookie;
  readonly #options: SessionsOptions;
  readonly #sealKey: Buffer;
  readonly #csrfKey: Buffer;

  constructor(options: SessionsOptions) {
    const { masterKey, publicUrl } = options;
    const deriveKey = (name: string): Buffer => createHmac('sha256', masterKey).update(`${purpose}: ${name}`).digest();
    this.#options = options;
    this.#sealKey = deriveKey('seal');
    this.#csrfKey = deriveKey('csrf');
    const installation = deriveKey('name').toString('hex').slice(0, 8);
    this.cookie = new SessionCookie({ installation, secure: publicUrl.startsWith('https:') });
  }

  create(keyHash: string): { readonly session: Session; readonly setCookie: string } {
    const { ambient } = this.#options;
    const issuedAt = ambient.now();
    const id = ambient.randomBytes(sessionIdBytes).toString('base64url');
    const session: Session = { id, keyHash, issuedAt, expiresAt: issuedAt + sessionMs };
    const nonce = ambient.randomBytes(nonceBytes);
    const sealed = encrypt(this.#sealKey, Buffer.from(JSON.stringify(session)), nonce, purpose);
    return { session, setCookie: this.cookie.set(toBase64Url(sealed), sessionMs / 1_000) };
  }

  /** The session in a request's cookies, unless it has expired; does not know whether the session was ended early. */
  fromCookies(cookieHeader: string | undefined): Session | undefined {
    const values = this.cookie.valuesIn(cookieHeader).slice(0, cookiesTriedMax);
    return values.map((value) => this.#decrypt(value)).find((session) => session !== undefined);
  }

  /** The token that state-changing requests of the session must send: a page of another site cannot read it. */
  csrfToken({ id }: Session): string {
    return createHmac('sha256', this.#csrfKey).update(id).digest('base64url');
  }

  isCsrfToken(session: Session, token: string | readonly string[] | undefined): boolean {
    if (typeof token !== 'string') return false;
    const [sentToken, expectedToken] = [Buffer.from(token), Buffer.from(this.csrfToken(session))];
    return sentToken.length === expectedToken.length && timingSafeEqual(sentToken, expectedToken);
  }

  #decrypt(value: string): Session | undefined {
    if (value === '' || value.length > sealedCharsMax) return undefined;
    try {
      const session = JSON.parse(decrypt(this.#sealKey, fromBase64Url(value), purpose).toString()) as Session;
      return session.expiresAt > this.#options.ambient.now() ? session : undefined;
    } catch {
      return undefined;
    }
  }
}

const toBase64Url = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url');
const fromBase64Url = (value: string): string => Buffer.from(value, 'base64url').toString('base64');
