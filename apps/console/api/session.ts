// Who is signed in: by an API key, or by the link that the service printed at its start. The key itself is never kept.
import { get, post, remove, keepCsrfToken } from './http.ts';
import { Problem } from './problem.ts';

export interface Session {
  readonly api_key_id: string;
  readonly scopes: readonly string[];
  readonly csrf_token: string;
  readonly expires_at: number;
}

interface Enveloped {
  readonly data: Session;
}

/** Undefined: nobody is signed in. */
export async function currentSession(): Promise<Session | null> {
  const token = takeLinkToken();
  if (token !== undefined) return signIn({ token }).catch(() => ask());
  return ask();
}

export async function signIn(credentials: { readonly api_key: string } | { readonly token: string }): Promise<Session> {
  return entered((await post<Enveloped>('/session', credentials)).data);
}

export async function signOut(): Promise<void> {
  await remove('/session');
  keepCsrfToken(undefined);
}

async function ask(): Promise<Session | null> {
  try {
    return entered((await get<Enveloped>('/session')).data);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

function entered(session: Session): Session {
  keepCsrfToken(session.csrf_token);
  return session;
}

/** The link's token, once: it leaves the address, so that it is in no history and in nothing that is shared. */
function takeLinkToken(): string | undefined {
  const token = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return decodeURIComponent(token);
}
