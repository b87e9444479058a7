// Who is signed in sees the pages, anyone else the sign-in; a session that ends leads back there, the address stays.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/http.ts';
import { useSession } from '../api/signed-in.ts';
import { Failed } from '../parts/states.tsx';
import { useLoadAhead } from './ahead.ts';
import { forgetSession } from './forget-session.ts';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { SignIn } from './sign-in.tsx';

export function Console(): ReactNode {
  const queries = useQueryClient();
  const session = useSession();
  useLoadAhead();
  useEffect(() => {
    onSignedOut(() => forgetSession(queries));
  }, [queries]);
  const isSignedOut = session.data === null;
  useEffect(() => {
    if (isSignedOut) forgetSession(queries);
  }, [isSignedOut, queries]);
  if (session.isPending) return null;
  // A service that is away for a moment signs nobody out.
  if (session.isError && session.data === undefined)
    return (
      <main>
        <Failed error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  if (isSignedOut) return <SignIn onSignedIn={(signedIn) => queries.setQueryData(['session'], signedIn)} />;
  return (
    <Frame>
      <Pages />
    </Frame>
  );
}
