// Reads a page of the records that contain a text: searches the newest ones, as many as one request may cost.
import type { ViewValue } from '../../../../domain/views/view.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { SearchDto } from '../../http/pages/search.dto.ts';
import { BoundedList } from './bounded-list.ts';
import { viewPages, readPageOf } from './page-reader.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';
import type { ViewList, DocumentPage } from './page-reader.ts';

/** Some 20 ms, and more names than anyone browses; in larger workspaces users search by id. */
const searchedMax = 2_000;
/** Few, since a record can be large; only its place is kept. */
const recordsPerRead = 100;

export interface SearchableViewList extends ViewList {
  /** The texts of a record that are searched for `q`. */
  readonly textsOf: (value: ViewValue) => readonly (string | null)[];
  /** The sort value of a record. */
  readonly sortOf: (value: ViewValue) => number;
}

/** Like `readPage`; with `q`, only the records that contain it. */
export async function readSearchedPage(
  build: ViewBuild,
  list: SearchableViewList,
  input: SearchDto,
): Promise<DocumentPage> {
  const searchText = input.q?.trim().toLowerCase() ?? '';
  const allRecords = viewPages(build, list);
  const searchResults = async (): Promise<PagedList> =>
    new SearchResults(await searchRecords(allRecords, list, searchText), (ids) => build.getMany(list.view, ids));
  const pages = searchText === '' ? allRecords : await searchResults();
  return readPageOf(new BoundedList({ list: pages, positionOf: positionBy(list) }), list, input);
}

const positionBy =
  ({ sortOf }: SearchableViewList) =>
  ({ id, value }: ViewDocument): SearchPosition => ({ sort: sortOf(value), id });

interface SearchPosition extends ListPosition {
  readonly sort: number;
}

/** Newest first. */
async function searchRecords(
  pages: PagedList,
  list: SearchableViewList,
  searchText: string,
): Promise<readonly SearchPosition[]> {
  const found: SearchPosition[] = [];
  const positionOf = positionBy(list);
  const isMatch = ({ value }: ViewDocument): boolean =>
    list.textsOf(value).some((text) => text?.toLowerCase().includes(searchText));
  let after: ListPosition | undefined;
  for (let searched = 0; searched < searchedMax; searched += recordsPerRead) {
    const afterOption = after === undefined ? {} : { after };
    const documents = await pages.find({ order: 'descending', limit: recordsPerRead, ...afterOption });
    found.push(...documents.filter(isMatch).map(positionOf));
    const last = documents.at(-1);
    if (last === undefined || documents.length < recordsPerRead) break;
    after = positionOf(last);
  }
  return found;
}

class SearchResults implements PagedList {
  readonly #positions: readonly SearchPosition[];
  readonly #read: (ids: readonly string[]) => ReturnType<ViewBuild['getMany']>;

  constructor(
    positions: readonly SearchPosition[],
    read: (ids: readonly string[]) => ReturnType<ViewBuild['getMany']>,
  ) {
    this.#positions = positions;
    this.#read = read;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#positions.length);
  }

  /** The cursor's record need not match or exist any more; records that were found can be gone by now. */
  async find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const positions = order === 'descending' ? this.#positions : this.#positions.toReversed();
    const sign = order === 'descending' ? -1 : 1;
    const isAfterCursor = ({ id, sort }: SearchPosition): boolean =>
      after === undefined || sign * compare([sort, id], [Number(after.sort), after.id]) > 0;
    const ids = positions.filter(isAfterCursor).map(({ id }) => id);
    const documents = await this.#read(ids.slice(0, limit));
    return documents.filter((document) => document !== undefined);
  }
}

const compare = ([sort, id]: readonly [number, string], [otherSort, otherId]: readonly [number, string]): number =>
  sort - otherSort || (id < otherId ? -1 : id > otherId ? 1 : 0);
