// Reads a page of the records that contain a text: searches the newest ones, as many as one request may cost.
import type { ViewValue } from '../../../../domain/views/view.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { SearchDto } from '../../http/pages/search.dto.ts';
import { BoundedList } from './bounded-list.ts';
import { listedIn, readPageOf } from './page-reader.ts';
import type { Listed, PageQuery, Place } from './listed.ts';
import type { ListOf, ReadPage } from './page-reader.ts';

/** Some 20 ms, and more names than anyone browses; in larger workspaces users search by id. */
const searchedMax = 2_000;
/** Few, since a record can be large; only its place is kept. */
const readAtOnce = 100;

export interface SearchOf extends ListOf {
  /** The texts of a record that are searched for `q`. */
  readonly textsOf: (value: ViewValue) => readonly (string | null)[];
  /** The sort value of a record. */
  readonly sortOf: (value: ViewValue) => number;
}

/** Like `readPage`; with `q`, only the records that contain it. */
export async function readSearchedPage(build: ViewBuild, list: SearchOf, input: SearchDto): Promise<ReadPage> {
  const wanted = input.q?.trim().toLowerCase() ?? '';
  const all = listedIn(build, list);
  const found = async (): Promise<Listed> =>
    new Found(await search(all, list, wanted), (ids) => build.getMany(list.view, ids));
  const listed = wanted === '' ? all : await found();
  return readPageOf(new BoundedList({ listed, placeOf: placeBy(list) }), list, input);
}

const placeBy =
  ({ sortOf }: SearchOf) =>
  ({ id, value }: ViewDocument): FoundPlace => ({ sort: sortOf(value), id });

interface FoundPlace extends Place {
  readonly sort: number;
}

/** Newest first. */
async function search(listed: Listed, list: SearchOf, wanted: string): Promise<readonly FoundPlace[]> {
  const found: FoundPlace[] = [];
  const placeOf = placeBy(list);
  const isFound = ({ value }: ViewDocument): boolean =>
    list.textsOf(value).some((text) => text?.toLowerCase().includes(wanted));
  let after: Place | undefined;
  for (let searched = 0; searched < searchedMax; searched += readAtOnce) {
    const place = after === undefined ? {} : { after };
    const documents = await listed.find({ order: 'descending', limit: readAtOnce, ...place });
    found.push(...documents.filter(isFound).map(placeOf));
    const last = documents.at(-1);
    if (last === undefined || documents.length < readAtOnce) break;
    after = placeOf(last);
  }
  return found;
}

class Found implements Listed {
  readonly #places: readonly FoundPlace[];
  readonly #read: (ids: readonly string[]) => ReturnType<ViewBuild['getMany']>;

  constructor(places: readonly FoundPlace[], read: (ids: readonly string[]) => ReturnType<ViewBuild['getMany']>) {
    this.#places = places;
    this.#read = read;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#places.length);
  }

  /** The cursor's record need not match or exist any more; records that were found can be gone by now. */
  async find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const places = order === 'descending' ? this.#places : this.#places.toReversed();
    const sign = order === 'descending' ? -1 : 1;
    const isBehind = ({ id, sort }: FoundPlace): boolean =>
      after === undefined || sign * compare([sort, id], [Number(after.sort), after.id]) > 0;
    const ids = places.filter(isBehind).map(({ id }) => id);
    const documents = await this.#read(ids.slice(0, limit));
    return documents.filter((document) => document !== undefined);
  }
}

const compare = ([sort, id]: readonly [number, string], [otherSort, otherId]: readonly [number, string]): number =>
  sort - otherSort || (id < otherId ? -1 : id > otherId ? 1 : 0);
