// Signs in by an API key, or by the link that the service prints at its start, and out. The key itself is never kept.
import { get, post, remove, keepCsrfToken } from './http.ts';
import { Problem, problemOf } from './problem.ts';

export interface Session {
  readonly workspace: string;
  readonly api_key_id: string;
  readonly scopes: readonly string[];
  readonly csrf_token: string;
  readonly expires_at: number;
}

interface Enveloped {
  readonly data: Session;
}

/** Why the sign-in link did not work; cleared once somebody is signed in. */
let linkProblem: string | undefined;

/** Null: nobody is signed in. */
export async function currentSession(): Promise<Session | null> {
  const token = takeLinkToken();
  return (token === undefined ? undefined : await signInByLink(token)) ?? requestSession();
}

/** Why a link or a session no longer works, for the sign-in page. Null: nothing to tell. */
export async function whySignedOut(): Promise<string | null> {
  if (linkProblem !== undefined) return linkProblem;
  try {
    await get('/session');
  } catch (error) {
    const { status, message, details } = problemOf(error);
    if (status === 401 && details['key'] !== undefined) return message;
  }
  return null;
}

export async function signIn(credentials: { readonly api_key: string } | { readonly token: string }): Promise<Session> {
  return acceptSession((await post<Enveloped>('/session', credentials)).data);
}

export async function signOut(): Promise<void> {
  await remove('/session');
  keepCsrfToken(undefined);
}

async function requestSession(): Promise<Session | null> {
  try {
    return acceptSession((await get<Enveloped>('/session')).data);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

function acceptSession(session: Session): Session {
  keepCsrfToken(session.csrf_token);
  linkProblem = undefined;
  return session;
}

/** `token`: from the address. Undefined: it does not work. */
async function signInByLink(token: string): Promise<Session | undefined> {
  try {
    return await signIn({ token: decodeURIComponent(token) });
  } catch (error) {
    const { status, message } = problemOf(error);
    const isLinkInvalid = error instanceof URIError || status === 400 || status === 401;
    linkProblem = isLinkInvalid ? 'This link was used or has expired: sign in with the API key.' : message;
    return undefined;
  }
}

/** Takes the link's token out of the address, so that neither the history nor a shared address holds it. */
function takeLinkToken(): string | undefined {
  const token = /^#sign-in=(.*)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}
