// Who is signed in: by an API key, or by the link that the service printed at its start. The key itself is never kept.
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

/** Of the link that has led here, unless somebody is signed in since. */
let linkProblem: string | undefined;

/** Null: nobody is signed in. */
export async function currentSession(): Promise<Session | null> {
  const link = takeLink();
  return (link === undefined ? undefined : await enterBy(link)) ?? ask();
}

/** What there is to tell who has to sign in: why a link or a session is of no use any more. Null: nothing. */
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
  linkProblem = undefined;
  return session;
}

/** `token`: as the address has it. Undefined: it is of no use. */
async function enterBy(token: string): Promise<Session | undefined> {
  try {
    return await signIn({ token: decodeURIComponent(token) });
  } catch (error) {
    const { status, message } = problemOf(error);
    const isOfNoUse = error instanceof URIError || status === 400 || status === 401;
    linkProblem = isOfNoUse ? 'This link was used or has expired: sign in with the API key.' : message;
    return undefined;
  }
}

/** The link's token, once: it leaves the address, so that it is in no history and in nothing that is shared. */
function takeLink(): string | undefined {
  const token = /^#sign-in=(.*)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}
