// Who is signed in sees the pages, anyone else the sign-in; a session that ends leads back there, the address stays.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/http.ts';
import { currentSession } from '../api/session.ts';
import { Failed } from '../parts/states.tsx';
import { forgetSession } from './forget-session.ts';
import { Frame } from './frame.tsx';
import { Pages } from './pages.tsx';
import { SignIn } from './sign-in.tsx';

export function Console(): ReactNode {
  const queries = useQueryClient();
  const session = useQuery({ queryKey: ['session'], queryFn: currentSession, staleTime: Infinity });
  useEffect(() => {
    onSignedOut(() => forgetSession(queries));
  }, [queries]);
  if (session.isPending) return null;
  if (session.isError)
    return (
      <main>
        <Failed error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  if (session.data === null) return <SignIn onSignedIn={(signedIn) => queries.setQueryData(['session'], signedIn)} />;
  return (
    <Frame>
      <Pages />
    </Frame>
  );
}
