// The list of saved components: every version, and which of them each key means.
import type { ReactNode } from 'react';
import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useList } from '../api/paging.ts';
import type { ComponentSummary } from '../api/records.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import { componentColumns } from './component-columns.tsx';

const filterChoices = [
  { value: '', label: 'All' },
  { value: 'published', label: 'Published' },
];

export function Components(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const isPublished = search.get('show') === 'published';
  const query = isPublished ? { published: true } : {};
  const list = useList<ComponentSummary>('/v1/components', { query });
  const empty = isPublished ? (
    <Empty icon="component" title="None is published">
      A published component is what its key means in this workspace: publish one on its page.
    </Empty>
  ) : (
    <Empty icon="component" title="No components yet" action={<CreateLink href="/sources/new">New source</CreateLink>}>
      Each code that a source is made of here is saved as a component, from which further sources can be deployed.
    </Empty>
  );
  return (
    <Page title="Components" lead="Saved code, from which sources are deployed.">
      <Card
        flush
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Components"
            data={filterChoices}
            value={isPublished ? 'published' : ''}
            onChange={(value) => setSearch(value === '' ? {} : { show: value }, { replace: true })}
          />
        }
      >
        <ListTable label="Components" list={list} columns={componentColumns} empty={empty} />
      </Card>
    </Page>
  );
}
