// One page of a view, newest first, with its cursors and total.
import type { ViewBuild, ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';
import { invalidRequest } from '../../http/api-problem.ts';
import type { PageInfo } from '../../http/pages/page-info.dto.ts';
import { limitDefault } from '../../http/pages/paging.dto.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';

export type PageQuery = Pick<ViewQuery, 'order' | 'limit' | 'after'>;

/** Where pages are read from. */
export interface Listed {
  find(query: PageQuery): Promise<readonly ViewDocument[]>;
  count(): Promise<number>;
}

export interface ListOf extends Cursors {
  readonly view: string;
  readonly index: string;
  readonly equals: readonly (string | number)[];
}

export interface Cursors {
  /** Sort value and document id of the record that a cursor names. Throws ApiProblem 400. */
  readonly place: (cursor: string) => Promise<Place> | Place;
  readonly cursorOf: (document: ViewDocument) => string;
}

export type Place = NonNullable<ViewQuery['after']>;

export interface ReadPage {
  readonly page_info: PageInfo;
  readonly documents: readonly ViewDocument[];
}

/** `after` goes to older records, `before` to newer ones; both give newest first. */
export function readPage(build: ViewBuild, list: ListOf, paging: PagingDto): Promise<ReadPage> {
  return readPageOf(listedIn(build, list), list, paging);
}

export const listedIn = (build: ViewBuild, { view, index, equals }: Omit<ListOf, keyof Cursors>): Listed => ({
  find: (query) => build.find(view, { index, equals, ...query }),
  count: () => build.count(view, { index, equals }),
});

/** As `readPage`, for documents that `listed` finds. */
export async function readPageOf(listed: Listed, list: Cursors, paging: PagingDto): Promise<ReadPage> {
  const { after, before, limit = limitDefault } = paging;
  if (given(after) && given(before)) throw invalidRequest('Give `after` or `before`, not both.');
  const cursor = given(after) ? after : given(before) ? before : undefined;
  const query: PageQuery = {
    order: given(before) ? 'ascending' : 'descending',
    limit: limit ?? limitDefault,
    ...(cursor === undefined ? {} : { after: await list.place(cursor) }),
  };
  const [found, total] = await Promise.all([listed.find(query), listed.count()]);
  const documents = given(before) ? found.toReversed() : found;
  return { page_info: pageInfo(documents, total, list.cursorOf), documents };
}

const given = (cursor: string | null | undefined): cursor is string =>
  cursor !== undefined && cursor !== null && cursor !== '';

function pageInfo(documents: readonly ViewDocument[], total: number, cursorOf: ListOf['cursorOf']): PageInfo {
  const first = documents.at(0);
  const last = documents.at(-1);
  return {
    total_count: total,
    count: documents.length,
    start_cursor: first === undefined ? null : cursorOf(first),
    end_cursor: last === undefined ? null : cursorOf(last),
  };
}
