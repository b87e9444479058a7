// Caches recent pages for streams that catch up: streams of the same records that resume together read each page once.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { isAfter } from '../stream-kind.ts';
import type { FollowedChannel, StreamPosition } from '../stream-kind.ts';
import type { SourceReader, PageRead, ViewsSnapshot } from './source-reader.ts';
import type { FieldSelection } from '../selection.ts';

/** Pages that are kept: usually 256 KiB each, at most 2 MiB with large records. */
const pagesMax = 16;
/** Enough for a thousand streams to take a page in turn; short, since retention can remove records meanwhile. */
const cacheMs = 2_000;
/** Selections of fields for which a page's text is kept: most clients want all. Others are encoded each time. */
const encodedMax = 2;

/** The part of a page after the position of a stream. */
export interface SharedPage extends PageRead {
  /** The same bytes for all streams with the same selection; undefined: it shows none of the documents. */
  encode(selection: FieldSelection): Buffer | undefined;
}

interface CachedPage {
  readonly key: string;
  readonly buildName: string;
  readonly end: number;
  readonly after: StreamPosition;
  readonly readAtMs: number;
  readonly reading: Promise<PageRead | undefined>;
  /** Absent while the page is being read. */
  page?: PageRead;
  readonly encoded: Map<string, Buffer | undefined>;
}

interface PageRequest {
  /** Identifies the records that are followed. */
  readonly key: string;
  readonly of: FollowedChannel;
  readonly reader: SourceReader;
  readonly place: StreamPosition;
}

export class SharedPages {
  /** Newest last. */
  readonly #cached: CachedPage[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#cached.length;
  }

  /** Undefined: the views were replaced meanwhile. */
  async page(request: PageRequest, snapshot: ViewsSnapshot): Promise<SharedPage | undefined> {
    const cached = this.#findCached(request, snapshot) ?? this.#read(request, snapshot);
    const page = await cached.reading;
    return page && sharedPageOf(cached, page, request);
  }

  /** Drops all pages: no stream catches up any more. */
  clear(): void {
    this.#cached.length = 0;
  }

  /** A page that begins at or before the position and ends after it. A page still being read has no known end. */
  #findCached({ key, of: followed, place: position }: PageRequest, snapshot: ViewsSnapshot): CachedPage | undefined {
    const since = this.#nowMs() - cacheMs;
    return this.#cached.findLast((cached) => {
      if (cached.key !== key || cached.end !== snapshot.end || cached.buildName !== snapshot.buildName) return false;
      if (cached.readAtMs < since) return false;
      if (isSame(cached.after, position)) return true;
      const last = cached.page?.documents.at(-1);
      if (last === undefined || position === undefined || !isAfter(position, cached.after)) return false;
      return isAfter(followed.kind.positionOf(last), position);
    });
  }

  #read({ key, reader, place: position }: PageRequest, snapshot: ViewsSnapshot): CachedPage {
    const { buildName, end } = snapshot;
    const reading = reader.page(snapshot, position);
    const cacheKey = { key, buildName, end, after: position, readAtMs: this.#nowMs() };
    const cached: CachedPage = { ...cacheKey, reading, encoded: new Map() };
    this.#cached.push(cached);
    if (this.#cached.length > pagesMax) this.#cached.shift();
    reading.then(
      (page) => {
        if (page === undefined) this.#drop(cached);
        else cached.page = page;
      },
      () => this.#drop(cached),
    );
    return cached;
  }

  #drop(cached: CachedPage): void {
    const index = this.#cached.indexOf(cached);
    if (index !== -1) this.#cached.splice(index, 1);
  }
}

const isSame = (one: StreamPosition, other: StreamPosition): boolean =>
  one?.sort === other?.sort && one?.id === other?.id;

function sharedPageOf(
  { encoded }: CachedPage,
  page: PageRead,
  { of: followed, place: position }: PageRequest,
): SharedPage {
  const from = page.documents.findIndex((document) => isAfter(followed.kind.positionOf(document), position));
  const documents: readonly ViewDocument[] = from > 0 ? page.documents.slice(from) : page.documents;
  return {
    documents,
    isLast: page.isLast,
    encode: (selection) => {
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
