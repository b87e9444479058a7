// Shows the pages to a signed-in user, and the sign-in to anyone else. When a session ends, the address stays, and a
// page with unsaved input, unless the user signed out, is only hidden until the same workspace signs in again.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/http.ts';
import type { Session } from '../api/session.ts';
import { useSession } from '../api/signed-in.ts';
import { hasUnsavedInput, noteTyping } from '../parts/hooks/unsaved.ts';
import { Failed } from '../parts/states.tsx';
import { useLinkPreloading } from './preload-links.ts';
import { forgetSession } from './forget-session.ts';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { SignIn } from './sign-in.tsx';

export function Console(): ReactNode {
  const queries = useQueryClient();
  const session = useSession();
  const hiddenPage = useHiddenPage(session.data);
  useLinkPreloading();
  useEffect(() => {
    onSignedOut(() => queries.setQueryData(['session'], null));
  }, [queries]);
  const isSignedOut = session.data === null;
  const isSessionOver = isSignedOut && hiddenPage.workspace === undefined;
  useEffect(() => {
    if (isSessionOver) forgetSession(queries);
  }, [isSessionOver, queries]);
  if (session.isPending) return null;
  // If the service does not answer for a moment, nobody is signed out.
  if (session.isError && session.data === undefined)
    return (
      <main>
        <Failed error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  const onSignedIn = (newSession: Session): void => {
    if (hiddenPage.workspace !== newSession.workspace) forgetSession(queries);
    queries.setQueryData(['session'], newSession);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  return (
    <>
      {isSignedOut ? <SignIn hasUnsavedPage={!isSessionOver} onSignedIn={onSignedIn} /> : null}
      {isSessionOver ? null : (
        <div key={hiddenPage.visit} hidden={isSignedOut} inert={isSignedOut} onInput={noteTyping}>
          <Frame isHidden={isSignedOut}>
            <Pages />
          </Frame>
        </div>
      )}
    </>
  );
}

interface HiddenPage {
  /** The workspace of the hidden page that waits for a sign-in; undefined: no page waits. */
  readonly workspace: string | undefined;
  /** A number that changes when somebody signs in to another workspace than that of the page. */
  readonly visit: number;
}

function useHiddenPage(session: Session | null | undefined): HiddenPage {
  const [last, setLast] = useState(session);
  const [hiddenPage, setHiddenPage] = useState<HiddenPage>({ workspace: undefined, visit: 0 });
  if (session === last) return hiddenPage;
  setLast(session);
  const next = nextHiddenPage(hiddenPage, last, session);
  setHiddenPage(next);
  return next;
}

type KnownSession = Session | null | undefined;

function nextHiddenPage({ workspace, visit }: HiddenPage, last: KnownSession, session: KnownSession): HiddenPage {
  if (session === null) {
    const isPageKept = last !== null && last !== undefined && hasUnsavedInput();
    return { workspace: isPageKept ? last.workspace : undefined, visit };
  }
  const isOtherWorkspace = workspace !== undefined && session?.workspace !== workspace;
  return { workspace: undefined, visit: isOtherWorkspace ? visit + 1 : visit };
}
