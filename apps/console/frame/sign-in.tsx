// The sign-in form: takes an API key, which is exchanged for a session and then forgotten.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Alert, Button, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { problemOf } from '../api/problem.ts';
import { signIn, whySignedOut } from '../api/session.ts';
import type { Session } from '../api/session.ts';
import { useFocusBack } from '../parts/hooks/focus-back.ts';

interface SignInProps {
  /** A hidden page with unsaved input waits for this sign-in. */
  readonly isAwaited: boolean;
  readonly onSignedIn: (session: Session) => void;
}

export function SignIn({ isAwaited, onSignedIn }: SignInProps): ReactNode {
  useFocusBack();
  useEffect(() => {
    const before = document.title;
    document.title = 'Sign in · Wellspring';
    return () => {
      document.title = before;
    };
  }, []);
  const entry = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  // The key begins with `session`, because only such queries are kept when the session ends.
  const { data: why } = useQuery({ queryKey: ['session', 'why'], queryFn: whySignedOut, gcTime: 0, retry: false });
  const submit = (event: React.FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('api_key');
    if (typeof key === 'string' && key.trim() !== '') entry.mutate({ api_key: key.trim() });
  };
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <div className="brand">
          <img src="/favicon.svg" alt="" />
          <span>Wellspring</span>
        </div>
        <h1>Sign in</h1>
        {typeof why === 'string' ? (
          <Alert color="red" variant="outline" role="alert">
            {why}
          </Alert>
        ) : null}
        {isAwaited ? (
          <p role="status">What you have written on the page is still there, and is shown again once you sign in.</p>
        ) : null}
        <PasswordInput
          name="api_key"
          label="API key"
          description="The first start has made one: it is in data/api-key, or in api-key of DATA_DIR."
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          error={entry.isError ? said(entry.error) : undefined}
        />
        <Button type="submit" loading={entry.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

function said(error: unknown): string {
  const { status, message } = problemOf(error);
  return status === 401 ? 'This key is not valid: it may have been revoked, or have expired.' : message;
}
