// Caches recent pages for streams that catch up: streams of the same records that resume together read each page once.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { isBehind } from '../kind.ts';
import type { Followed, Place } from '../kind.ts';
import type { SourceReader, PageRead, Shown } from './reader.ts';
import type { FieldSelection } from '../selection.ts';

/** Pages that are kept: usually 256 KiB each, at most 2 MiB with large records. */
const pagesMax = 16;
/** Enough for a thousand streams to take a page in turn; short, since retention can remove records meanwhile. */
const keptMs = 2_000;
/** Selections of fields for which a page's text is kept: most clients want all. Others are encoded each time. */
const encodedMax = 2;

/** The part of a page after the place of a stream. */
export interface SharedPage extends PageRead {
  /** The same bytes for all streams with the same selection; undefined: it shows none of the documents. */
  encoded(selection: FieldSelection): Buffer | undefined;
}

interface Kept {
  readonly key: string;
  readonly buildName: string;
  readonly end: number;
  readonly after: Place;
  readonly readAtMs: number;
  readonly reading: Promise<PageRead | undefined>;
  /** Absent while the page is being read. */
  page?: PageRead;
  readonly encoded: Map<string, Buffer | undefined>;
}

interface Asked {
  /** Identifies the records that are followed. */
  readonly key: string;
  readonly of: Followed;
  readonly reader: SourceReader;
  readonly place: Place;
}

export class SharedPages {
  /** Newest last. */
  readonly #kept: Kept[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** Undefined: the views were replaced meanwhile. */
  async page(asked: Asked, shown: Shown): Promise<SharedPage | undefined> {
    const kept = this.#found(asked, shown) ?? this.#read(asked, shown);
    const page = await kept.reading;
    return page && partOf(kept, page, asked);
  }

  /** Drops all pages: no stream catches up any more. */
  clear(): void {
    this.#kept.length = 0;
  }

  /** A page that begins at or before the place and ends after it. A page still being read has no known end. */
  #found({ key, of, place }: Asked, shown: Shown): Kept | undefined {
    const since = this.#nowMs() - keptMs;
    return this.#kept.findLast((kept) => {
      if (kept.key !== key || kept.end !== shown.end || kept.buildName !== shown.buildName) return false;
      if (kept.readAtMs < since) return false;
      if (isSame(kept.after, place)) return true;
      const last = kept.page?.documents.at(-1);
      if (last === undefined || place === undefined || !isBehind(place, kept.after)) return false;
      return isBehind(of.kind.placeOf(last), place);
    });
  }

  #read({ key, reader, place }: Asked, shown: Shown): Kept {
    const { buildName, end } = shown;
    const reading = reader.page(shown, place);
    const of = { key, buildName, end, after: place, readAtMs: this.#nowMs() };
    const kept: Kept = { ...of, reading, encoded: new Map() };
    this.#kept.push(kept);
    if (this.#kept.length > pagesMax) this.#kept.shift();
    reading.then(
      (page) => {
        if (page === undefined) this.#drop(kept);
        else kept.page = page;
      },
      () => this.#drop(kept),
    );
    return kept;
  }

  #drop(kept: Kept): void {
    const index = this.#kept.indexOf(kept);
    if (index !== -1) this.#kept.splice(index, 1);
  }
}

const isSame = (one: Place, other: Place): boolean => one?.sort === other?.sort && one?.id === other?.id;

function partOf({ encoded }: Kept, page: PageRead, { of, place }: Asked): SharedPage {
  const from = page.documents.findIndex((document) => isBehind(of.kind.placeOf(document), place));
  const documents: readonly ViewDocument[] = from > 0 ? page.documents.slice(from) : page.documents;
  return {
    documents,
    isLast: page.isLast,
    encoded: (selection) => {
      // A stream starts in the middle of a page only once: its next page begins where this one ends.
      if (from > 0) return selection.encode(documents);
      const { key } = selection;
      const known = encoded.get(key);
      if (known !== undefined || encoded.has(key)) return known;
      const bytes = selection.encode(documents);
      if (encoded.size < encodedMax) encoded.set(key, bytes);
      return bytes;
    },
  };
}
