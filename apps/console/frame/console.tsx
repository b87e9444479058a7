// Shows the pages to a signed-in user, and the sign-in to anyone else. When a session ends, the address stays, and a
// page with unsaved input, unless the user signed out, is only hidden until the same workspace signs in again.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/http.ts';
import type { Session } from '../api/session.ts';
import { useSession } from '../api/signed-in.ts';
import { hasWritten, noteTyping } from '../parts/hooks/unsaved.ts';
import { Failed } from '../parts/states.tsx';
import { useLoadAhead } from './ahead.ts';
import { forgetSession } from './forget-session.ts';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { SignIn } from './sign-in.tsx';

export function Console(): ReactNode {
  const queries = useQueryClient();
  const session = useSession();
  const waiting = useWaiting(session.data);
  useLoadAhead();
  useEffect(() => {
    onSignedOut(() => queries.setQueryData(['session'], null));
  }, [queries]);
  const isSignedOut = session.data === null;
  const isForgotten = isSignedOut && waiting.workspace === undefined;
  useEffect(() => {
    if (isForgotten) forgetSession(queries);
  }, [isForgotten, queries]);
  if (session.isPending) return null;
  // If the service does not answer for a moment, nobody is signed out.
  if (session.isError && session.data === undefined)
    return (
      <main>
        <Failed error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  const signedIn = (entered: Session): void => {
    if (waiting.workspace !== entered.workspace) forgetSession(queries);
    queries.setQueryData(['session'], entered);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  return (
    <>
      {isSignedOut ? <SignIn isAwaited={!isForgotten} onSignedIn={signedIn} /> : null}
      {isForgotten ? null : (
        <div key={waiting.visit} hidden={isSignedOut} inert={isSignedOut} onInput={noteTyping}>
          <Frame>
            <Pages />
          </Frame>
        </div>
      )}
    </>
  );
}

interface Waiting {
  /** The workspace of the hidden page that waits for a sign-in; undefined: no page waits. */
  readonly workspace: string | undefined;
  /** A number that changes when somebody signs in to another workspace than that of the page. */
  readonly visit: number;
}

function useWaiting(session: Session | null | undefined): Waiting {
  const [last, setLast] = useState(session);
  const [waiting, setWaiting] = useState<Waiting>({ workspace: undefined, visit: 0 });
  if (session === last) return waiting;
  setLast(session);
  const now = after(waiting, last, session);
  setWaiting(now);
  return now;
}

type Waited = Session | null | undefined;

function after({ workspace, visit }: Waiting, last: Waited, session: Waited): Waiting {
  if (session === null) {
    const isKept = last !== null && last !== undefined && hasWritten();
    return { workspace: isKept ? last.workspace : undefined, visit };
  }
  const isOther = workspace !== undefined && session?.workspace !== workspace;
  return { workspace: undefined, visit: isOther ? visit + 1 : visit };
}
