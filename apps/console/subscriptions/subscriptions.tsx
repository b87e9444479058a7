// The page of all subscriptions.
import type { ReactNode } from 'react';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const NewButton = (): ReactNode => <CreateLink href="/subscriptions/new">New subscription</CreateLink>;

export const Subscriptions = (): ReactNode => (
  <Page title="Subscriptions" lead="Which events go where." actions={<NewButton />}>
    <Card flush>
      <SubscriptionsTable action={<NewButton />} />
    </Card>
  </Page>
);
