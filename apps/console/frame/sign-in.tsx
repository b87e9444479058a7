// The sign-in form: takes an API key, which is exchanged for a session and then forgotten.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Alert, Button, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { problemOf } from '../api/problem.ts';
import { signIn, whySignedOut } from '../api/session.ts';
import type { Session } from '../api/session.ts';
import { useRestoreFocus } from '../parts/hooks/restore-focus.ts';

interface SignInProps {
  /** A hidden page with unsaved input waits for this sign-in. */
  readonly hasUnsavedPage: boolean;
  readonly onSignedIn: (session: Session) => void;
}

export function SignIn({ hasUnsavedPage, onSignedIn }: SignInProps): ReactNode {
  useRestoreFocus();
  useEffect(() => {
    const previousTitle = document.title;
    document.title = 'Sign in · Wellspring';
    return () => {
      document.title = previousTitle;
    };
  }, []);
  const signInMutation = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  // The key begins with `session`, because only such queries are kept when the session ends.
  const { data: signedOutReason } = useQuery({
    queryKey: ['session', 'why'],
    queryFn: whySignedOut,
    gcTime: 0,
    retry: false,
  });
  const submit = (event: React.FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('api_key');
    if (typeof key === 'string' && key.trim() !== '') signInMutation.mutate({ api_key: key.trim() });
  };
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <div className="brand">
          <img src="/favicon.svg" alt="" />
          <span>Wellspring</span>
        </div>
        <h1>Sign in</h1>
        {typeof signedOutReason === 'string' ? (
          <Alert color="red" variant="outline" role="alert">
            {signedOutReason}
          </Alert>
        ) : null}
        {hasUnsavedPage ? (
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
          error={signInMutation.isError ? messageOf(signInMutation.error) : undefined}
        />
        <Button type="submit" loading={signInMutation.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

function messageOf(error: unknown): string {
  const { status, message } = problemOf(error);
  return status === 401 ? 'This key is not valid: it may have been revoked, or have expired.' : message;
}
