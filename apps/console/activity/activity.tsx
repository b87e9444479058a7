// The page that lists who changed what in the workspace, newest first.
import type { ReactNode } from 'react';
import { SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useNames } from '../api/names.ts';
import { useList } from '../api/paging.ts';
import type { ApiKey } from '../api/records.ts';
import { Ago } from '../parts/now.tsx';
import { pageOf } from '../parts/links/page-of.ts';
import { Card, Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Rows } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { useChanges } from './changes.ts';
import type { Change } from './changes.ts';
import { SignedHistory } from './signed-history.tsx';
import { changeTextOf, actorNameOf } from './change-texts.ts';

const hourMs = 3_600_000;
const spans = [
  { value: 'hour', label: 'Hour', ms: hourMs },
  { value: 'day', label: 'Day', ms: 24 * hourMs },
  { value: 'week', label: 'Week', ms: 7 * 24 * hourMs },
] as const;

export function Activity(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const span = spans.find(({ value }) => value === search.get('span')) ?? spans[1];
  const changesQuery = useChanges(span.ms);
  const { nameOf } = useNames();
  const keys = useList<ApiKey>('/v1/api_keys', { query: { limit: 100 } });
  // A key that has only the scope `audit` may not list keys.
  const keyNames = keys.total === undefined ? undefined : new Map(keys.items.map(({ id, name }) => [id, name]));
  const spanControl = (
    <SegmentedControl
      size="xs"
      aria-label="Time shown"
      data={spans.map(({ value, label }) => ({ value, label }))}
      value={span.value}
      onChange={(value) => setSearch({ span: value }, { replace: true })}
    />
  );
  return (
    <Page title="Activity" lead="Who changed what.">
      <Card flush actions={spanControl}>
        {changesQuery.isPending ? <Loading /> : null}
        {changesQuery.isError && changesQuery.data === undefined ? (
          <Failed error={changesQuery.error} retry={() => void changesQuery.refetch()} />
        ) : null}
        {changesQuery.data?.changes.length === 0 ? (
          <Empty icon="check" title="Nothing was changed">
            What people and programs create, change and delete is listed here.
          </Empty>
        ) : null}
        {changesQuery.data === undefined || changesQuery.data.changes.length === 0 ? null : (
          <Rows label="Activity" records={changesQuery.data.changes} columns={columnsOf(keyNames, nameOf)} />
        )}
        {changesQuery.data?.isTruncated === true ? (
          <p className="card-body dim">
            There is more than is shown. Choose a shorter time, or ask <code>pd history</code> for all.
          </p>
        ) : null}
      </Card>
      <SignedHistory spanMs={span.ms} name={span.value} />
    </Page>
  );
}

const columnsOf = (
  keyNames: ReadonlyMap<string, string> | undefined,
  nameOf: (id: string) => string,
): readonly Column<Change>[] => [
  { name: 'When', cell: ({ time }) => <Ago ms={Date.parse(time)} /> },
  { name: 'Who', cell: ({ actor }) => <span className="clip">{actorNameOf(actor, keyNames)}</span> },
  {
    name: 'What',
    cell: ({ type, partitionkey }) => (
      <>
        {changeTextOf(type)} <RecordLink id={partitionkey} name={nameOf(partitionkey)} />
      </>
    ),
  },
];

function RecordLink({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const href = pageOf(id);
  return href === undefined ? (
    <span className="mono">{name}</span>
  ) : (
    <Link href={href} className="wrapped">
      <bdi>{name}</bdi>
    </Link>
  );
}
