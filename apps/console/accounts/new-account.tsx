// The page for a new account, of the app that the address names or of one that the form asks for.
import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { Card, Page } from '../parts/page.tsx';
import { ConnectAccount } from './connect-account.tsx';

export function NewAccount(): ReactNode {
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const app = search.get('app');
  return (
    <Page
      title="Connect an account"
      lead="Its credentials are sealed before they are stored, and are not shown again."
      parent={{ href: '/accounts', name: 'Accounts' }}
    >
      <Card>
        <ConnectAccount {...(app === null ? {} : { app })} onDone={({ id }) => go(`/accounts/${id}`)} />
      </Card>
    </Page>
  );
}
