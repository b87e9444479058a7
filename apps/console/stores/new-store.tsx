// The page for a new data store.
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Card, Page } from '../parts/page.tsx';
import { NewStoreForm } from './new-store-form.tsx';

export function NewStore(): ReactNode {
  const [, go] = useLocation();
  return (
    <Page
      title="New data store"
      lead="Any source of the workspace can be given it, in a prop of type data_store."
      parent={{ href: '/data-stores', name: 'Data stores' }}
    >
      <Card>
        <NewStoreForm onDone={({ id }) => go(`/data-stores/${id}`)} />
      </Card>
    </Page>
  );
}
