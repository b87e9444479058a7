// The cookie of the console's session: sets, clears and reads it, and removes it from headers that components see.

const baseName = 'wellspring_session';
/** Matches those of other installations, too: browsers send a host's cookies to every port. */
const sessionCookieName = new RegExp(`^(?:__Host-)?${baseName}(?:_|$)`);

export interface CookieOptions {
  /** Distinguishes installations that share a host. */
  readonly installation: string;
  /** Whether browsers reach the service by https. */
  readonly secure: boolean;
}

export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor({ installation, secure }: CookieOptions) {
    // With this prefix, browsers accept the cookie only from the host itself and only over https.
    this.#name = `${secure ? '__Host-' : ''}${baseName}_${installation}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }

  /** For `Set-Cookie`. */
  set(value: string, maxAgeSeconds: number): string {
    return `${this.#name}=${value}; Max-Age=${maxAgeSeconds}; ${this.#attributes}`;
  }

  /** For `Set-Cookie`. */
  clear(): string {
    return this.set('', 0);
  }

  /** All values with this name: an attacker on a neighbouring host can add one. */
  valuesIn(header: string | undefined): readonly string[] {
    return cookiesIn(header)
      .filter(({ name }) => name === this.#name)
      .map(({ value }) => value);
  }
}

/** The `Cookie` header without session cookies, as components may see it; undefined: nothing is left. */
export function withoutSessionCookies(header: string): string | undefined {
  if (!header.includes(baseName)) return header;
  const remaining = cookiesIn(header).filter(({ name }) => !sessionCookieName.test(name));
  return remaining.length === 0 ? undefined : remaining.map(({ text }) => text).join('; ');
}

function cookiesIn(header = ''): readonly { readonly name: string; readonly value: string; readonly text: string }[] {
  return header.split(';').map((part) => {
    const text = part.trim();
    const at = text.indexOf('=');
    return { name: at < 0 ? text : text.slice(0, at).trim(), value: at < 0 ? '' : text.slice(at + 1).trim(), text };
  });
}
