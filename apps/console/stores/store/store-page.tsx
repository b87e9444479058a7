// The page of one data store: how much it holds, and each key with its value.
import type { ReactNode } from 'react';
import { useRecord } from '../../api/record.ts';
import type { StoredData } from '../../api/records.ts';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { Ago } from '../../parts/now.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { DeleteStore } from './delete-store.tsx';
import { Entries } from './entries.tsx';

const refetchMs = 5_000;
const parent = { href: '/data-stores', name: 'Data stores' };

export function StorePage({ id }: { readonly id: string }): ReactNode {
  const { data: store, error, refetch } = useRecord<StoredData>(`/v1/data_stores/${encodeURIComponent(id)}`, refetchMs);
  if (store === undefined)
    return (
      <Page title="Data store" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  return (
    <Page
      title={store.name}
      lead={<span className="mono">{id}</span>}
      parent={parent}
      actions={<DeleteStore store={store} />}
    >
      <Card>
        <Facts
          facts={{
            Keys: formatCount(store.keys),
            Size: formatBytes(store.bytes),
            Created: <Ago ms={store.created_at * 1_000} />,
          }}
        />
      </Card>
      <Entries storeId={id} />
    </Page>
  );
}
