// Pages that streams which catch up have read lately: those of the same records that resume together read them once.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { isBehind } from '../kind.ts';
import type { Followed, Place } from '../kind.ts';
import type { SourceReader, PageRead, Shown } from './reader.ts';
import type { FieldSelection } from '../selection.ts';

/** Pages that are kept: 256 KiB each as a rule, 2 MiB at most where records are that large. */
const pagesMax = 16;
/** Long enough for a thousand streams to take a page each, one after the other; retention may remove records meanwhile. */
const keptMs = 2_000;
/** Selections of fields for which the text of a page is kept: most clients want all. For others it is encoded each time. */
const encodedMax = 2;

/** What is left of a page behind the place of a stream. */
export interface SharedPage extends PageRead {
  /** The same bytes for all streams that show the same; undefined: they show none of the documents. */
  encoded(selection: FieldSelection): Buffer | undefined;
}

interface Kept {
  readonly key: string;
  readonly buildName: string;
  readonly end: number;
  readonly after: Place;
  readonly readAtMs: number;
  readonly reading: Promise<PageRead | undefined>;
  /** Absent while it is being read. */
  page?: PageRead;
  readonly encoded: Map<string, Buffer | undefined>;
}

interface Asked {
  /** What is followed. */
  readonly key: string;
  readonly of: Followed;
  readonly reader: SourceReader;
  readonly place: Place;
}

export class SharedPages {
  /** The newest last. */
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

  /** Nobody catches up any more. */
  clear(): void {
    this.#kept.length = 0;
  }

  /** A page that begins at the place or before it, and ends behind it. What is not read yet ends nobody knows where. */
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
      // Those in the middle of a page are there once: the next page begins for all of them at its end.
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
