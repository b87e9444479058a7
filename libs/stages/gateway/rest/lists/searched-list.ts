// A page of the records in which a text occurs: the newest are looked through, as many as a request may cost.
import type { ViewValue } from '../../../../domain/views/view.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { SearchDto } from '../../http/pages/search.dto.ts';
import { listedIn, readPage, readPageOf } from './page-reader.ts';
import type { Listed, ListOf, PageQuery, Place, ReadPage } from './page-reader.ts';

/** Some 20 ms, and more names than anyone looks through; a workspace with more knows the id. */
const searchedMax = 2_000;
const readAtOnce = 500;

export interface SearchOf extends ListOf {
  /** The texts of a record in which `q` may occur. */
  readonly textsOf: (value: ViewValue) => readonly (string | null)[];
  /** The sort value of a record. */
  readonly sortOf: (value: ViewValue) => number;
}

/** As `readPage`; with `q` only the records in which it occurs. */
export async function readSearchedPage(build: ViewBuild, list: SearchOf, input: SearchDto): Promise<ReadPage> {
  const wanted = input.q?.trim().toLowerCase() ?? '';
  if (wanted === '') return readPage(build, list, input);
  return readPageOf(new Found(await search(listedIn(build, list), list, wanted), list), list, input);
}

/** Newest first. */
async function search(listed: Listed, { textsOf, sortOf }: SearchOf, wanted: string): Promise<readonly ViewDocument[]> {
  const found: ViewDocument[] = [];
  let after: Place | undefined;
  for (let searched = 0; searched < searchedMax; searched += readAtOnce) {
    const place = after === undefined ? {} : { after };
    const documents = await listed.find({ order: 'descending', limit: readAtOnce, ...place });
    found.push(...documents.filter(({ value }) => textsOf(value).some((text) => text?.toLowerCase().includes(wanted))));
    const last = documents.at(-1);
    if (last === undefined || documents.length < readAtOnce) break;
    after = { sort: sortOf(last.value), id: last.id };
  }
  return found;
}

class Found implements Listed {
  readonly #documents: readonly ViewDocument[];
  readonly #sortOf: SearchOf['sortOf'];

  constructor(documents: readonly ViewDocument[], { sortOf }: SearchOf) {
    this.#documents = documents;
    this.#sortOf = sortOf;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#documents.length);
  }

  /** The cursor's record may not match any more, or be gone. */
  find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const documents = order === 'descending' ? this.#documents : this.#documents.toReversed();
    const sign = order === 'descending' ? -1 : 1;
    const isBehind = ({ id, value }: ViewDocument): boolean =>
      after === undefined || sign * compare([this.#sortOf(value), id], [Number(after.sort), after.id]) > 0;
    return Promise.resolve(documents.filter(isBehind).slice(0, limit));
  }
}

const compare = ([sort, id]: readonly [number, string], [otherSort, otherId]: readonly [number, string]): number =>
  sort - otherSort || (id < otherId ? -1 : id > otherId ? 1 : 0);
