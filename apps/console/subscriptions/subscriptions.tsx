// All subscriptions.
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Card, Page } from '../parts/page.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';

const NewButton = (): ReactNode => (
  <Button component={Link} href="/subscriptions/new">
    New subscription
  </Button>
);

export const Subscriptions = (): ReactNode => (
  <Page title="Subscriptions" lead="Which events go where." actions={<NewButton />}>
    <Card flush>
      <SubscriptionsTable action={<NewButton />} />
    </Card>
  </Page>
);
