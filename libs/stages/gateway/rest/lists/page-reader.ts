// Reads one page of a view, newest first, with its cursors and total.
import { viewDefinitions } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { CursorProblem } from '../../http/pages/cursor.ts';
import type { PageInfo } from '../../http/pages/page-info.dto.ts';
import { limitDefault } from '../../http/pages/paging.dto.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';
import { BoundedList } from './bounded-list.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';

export interface ViewList extends Cursors {
  readonly view: string;
  readonly index: string;
  readonly equals: readonly (string | number)[];
}

export interface Cursors {
  /** The sort value and document id for a cursor. Throws ApiProblem 400. */
  readonly positionOfCursor: (cursor: string) => Promise<ListPosition> | ListPosition;
  readonly cursorOf: (document: ViewDocument) => string;
}

export interface DocumentPage {
  readonly page_info: PageInfo;
  readonly documents: readonly ViewDocument[];
}

/** `after` leads to older records, `before` to newer ones; both pages are newest first. */
export function readPage(build: ViewBuild, list: ViewList, paging: PagingDto): Promise<DocumentPage> {
  return readPageOf(new BoundedList({ list: viewPages(build, list), positionOf: positionIn(list) }), list, paging);
}

export const viewPages = (build: ViewBuild, { view, index, equals }: Omit<ViewList, keyof Cursors>): PagedList => ({
  find: (query) => build.find(view, { index, equals, ...query }),
  count: () => build.count(view, { index, equals }),
});

/** Returns a function for the place of a document in the index. */
export function positionIn({
  view,
  index,
}: Pick<ViewList, 'view' | 'index'>): (document: ViewDocument) => ListPosition {
  const field = viewDefinitions.find(({ name }) => name === view)?.indexes[index]?.at(-1);
  if (field === undefined) throw new Error(`the view ${view} has no index ${index}`);
  return ({ id, value }) => ({ sort: value[field] as string | number, id });
}

/** Like `readPage`, for documents that `pages` finds. */
export async function readPageOf(pages: PagedList, cursors: Cursors, paging: PagingDto): Promise<DocumentPage> {
  const { after, before, limit = limitDefault } = paging;
  if (isGiven(after) && isGiven(before))
    throw problemsOf([{ field: 'before', message: 'Give `after` or `before`, not both' }]);
  const position = isGiven(after)
    ? await positionOfParameter(cursors, after, 'after')
    : await positionOfParameter(cursors, before, 'before');
  const query: PageQuery = {
    order: isGiven(before) ? 'ascending' : 'descending',
    limit: limit ?? limitDefault,
    ...(position === undefined ? {} : { after: position }),
  };
  const [found, total] = await Promise.all([pages.find(query), pages.count()]);
  const documents = isGiven(before) ? found.toReversed() : found;
  const truncation = pages.isTruncated === true ? { has_more: true as const } : {};
  return { page_info: { ...pageInfo(documents, total, cursors.cursorOf), ...truncation }, documents };
}

/** The place of a cursor; undefined: no cursor. Throws ApiProblem 400. */
async function positionOfParameter(
  cursors: Cursors,
  cursor: PagingDto['after'],
  field: 'after' | 'before',
): Promise<ListPosition | undefined> {
  if (!isGiven(cursor)) return undefined;
  try {
    return await cursors.positionOfCursor(cursor);
  } catch (error) {
    throw error instanceof CursorProblem ? error.forField(field) : error;
  }
}

const isGiven = (cursor: string | null | undefined): cursor is string =>
  cursor !== undefined && cursor !== null && cursor !== '';

function pageInfo(documents: readonly ViewDocument[], total: number, cursorOf: ViewList['cursorOf']): PageInfo {
  const first = documents.at(0);
  const last = documents.at(-1);
  return {
    total_count: total,
    count: documents.length,
    start_cursor: first === undefined ? null : cursorOf(first),
    end_cursor: last === undefined ? null : cursorOf(last),
  };
}
