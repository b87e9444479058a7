// A list as a table, with its states: loading, failed, empty, and more to load.
import { memo } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { PagedList } from '../api/paging.ts';
import { problemOf } from '../api/problem.ts';
import { formatCount, formatExactTime } from './format.ts';
import { Failed, Loading } from './states.tsx';

export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T) => ReactNode;
  readonly number?: boolean;
}

interface TableProps<T> {
  readonly label: string;
  readonly list: PagedList<T>;
  readonly columns: readonly Column<T>[];
  readonly empty: ReactNode;
}

export function ListTable<T extends { readonly id: string }>({
  label,
  list,
  columns,
  empty,
}: TableProps<T>): ReactNode {
  if (list.isLoading) return <Loading />;
  if (list.error !== null && list.items.length === 0) return <Failed error={list.error} retry={list.reload} />;
  if (list.items.length === 0) return empty;
  return (
    <>
      <Rows label={label} records={list.items} columns={columns} />
      <ListFoot list={list} />
    </>
  );
}

interface RowProps {
  readonly record: unknown;
  readonly columns: readonly Column<unknown>[];
}

/** Rendered again only when its record has changed: a list can have thousands of rows. */
const Row = memo(({ record, columns }: RowProps): ReactNode => (
  <tr>
    {columns.map(({ name, cell, number }) => (
      <td key={name} className={number === true ? 'number' : undefined}>
        {cell(record)}
      </td>
    ))}
  </tr>
));

interface RowsProps<T> {
  readonly label: string;
  readonly records: readonly T[];
  readonly columns: readonly Column<T>[];
}

export const Rows = <T extends { readonly id: string }>({ label, records, columns }: RowsProps<T>): ReactNode => (
  <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
    <table className="table">
      <thead>
        <tr>
          {columns.map(({ name, number }) => (
            <th key={name} scope="col" className={number === true ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.id} record={record} columns={columns as readonly Column<unknown>[]} />
        ))}
      </tbody>
    </table>
  </div>
);

interface FootProps<T> {
  readonly list: PagedList<T>;
  /** The list is a search, for which the service gives no total. */
  readonly isSearch?: boolean;
}

export const ListFoot = <T,>({ list, isSearch = false }: FootProps<T>): ReactNode => (
  <div className="list-foot">
    <span>
      {formatCount(list.items.length)}
      {isSearch
        ? ' found'
        : list.total === undefined
          ? ''
          : ` of ${formatCount(Math.max(list.total, list.items.length))}`}
      {list.searchedToMs === undefined ? '' : `, searched back to ${formatExactTime(list.searchedToMs)}`}
    </span>
    {list.error === null ? null : <span role="alert">Not loaded: {problemOf(list.error).message}</span>}
    {list.hasMore ? (
      <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
        {list.searchedToMs === undefined ? 'Load more' : 'Search further back'}
      </Button>
    ) : null}
  </div>
);
