// Reads one page of a view, newest first, with its cursors and total.
import { viewDefinitions } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { CursorProblem } from '../../http/pages/cursor.ts';
import type { PageInfo } from '../../http/pages/page-info.dto.ts';
import { limitDefault } from '../../http/pages/paging.dto.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';
import { BoundedList } from './bounded-list.ts';
import type { Listed, PageQuery, Place } from './listed.ts';

export interface ListOf extends Cursors {
  readonly view: string;
  readonly index: string;
  readonly equals: readonly (string | number)[];
}

export interface Cursors {
  /** The sort value and document id for a cursor. Throws ApiProblem 400. */
  readonly place: (cursor: string) => Promise<Place> | Place;
  readonly cursorOf: (document: ViewDocument) => string;
}

export interface ReadPage {
  readonly page_info: PageInfo;
  readonly documents: readonly ViewDocument[];
}

/** `after` leads to older records, `before` to newer ones; both pages are newest first. */
export function readPage(build: ViewBuild, list: ListOf, paging: PagingDto): Promise<ReadPage> {
  return readPageOf(new BoundedList({ listed: listedIn(build, list), placeOf: placeIn(list) }), list, paging);
}

export const listedIn = (build: ViewBuild, { view, index, equals }: Omit<ListOf, keyof Cursors>): Listed => ({
  find: (query) => build.find(view, { index, equals, ...query }),
  count: () => build.count(view, { index, equals }),
});

/** Returns a function for the place of a document in the index. */
export function placeIn({ view, index }: Pick<ListOf, 'view' | 'index'>): (document: ViewDocument) => Place {
  const field = viewDefinitions.find(({ name }) => name === view)?.indexes[index]?.at(-1);
  if (field === undefined) throw new Error(`the view ${view} has no index ${index}`);
  return ({ id, value }) => ({ sort: value[field] as string | number, id });
}

/** Like `readPage`, for documents that `listed` finds. */
export async function readPageOf(listed: Listed, list: Cursors, paging: PagingDto): Promise<ReadPage> {
  const { after, before, limit = limitDefault } = paging;
  if (given(after) && given(before))
    throw problemsOf([{ field: 'before', message: 'Give `after` or `before`, not both' }]);
  const place = given(after) ? await placed(list, after, 'after') : await placed(list, before, 'before');
  const query: PageQuery = {
    order: given(before) ? 'ascending' : 'descending',
    limit: limit ?? limitDefault,
    ...(place === undefined ? {} : { after: place }),
  };
  const [found, total] = await Promise.all([listed.find(query), listed.count()]);
  const documents = given(before) ? found.toReversed() : found;
  const isCut = listed.isCut === true ? { has_more: true as const } : {};
  return { page_info: { ...pageInfo(documents, total, list.cursorOf), ...isCut }, documents };
}

/** The place of a cursor; undefined: no cursor. Throws ApiProblem 400. */
async function placed(
  list: Cursors,
  cursor: PagingDto['after'],
  field: 'after' | 'before',
): Promise<Place | undefined> {
  if (!given(cursor)) return undefined;
  try {
    return await list.place(cursor);
  } catch (error) {
    throw error instanceof CursorProblem ? error.in(field) : error;
  }
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
