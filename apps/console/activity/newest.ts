// The newest records of a topic, of which history gives the oldest first: the time that is asked for becomes shorter until
// what it holds can be read, and then what came before is read piece by piece.

export interface PageRequest {
  readonly from: number;
  /** Exclusive; undefined: without an end. */
  readonly to?: number | undefined;
  readonly after?: string | undefined;
}

export interface RecordPage<T> {
  readonly data: readonly T[];
  readonly page_info: { readonly end_cursor: string; readonly has_more: boolean };
}

export type ReadPage<T> = (request: PageRequest) => Promise<RecordPage<T>>;

export interface NewestQuery<T> {
  /** Epoch ms; older records are ignored. */
  readonly since: number;
  readonly now: number;
  /** The search ends once it has found so many wanted records. */
  readonly wantedMax: number;
  readonly isWanted: (record: T) => boolean;
}

export interface NewestRecords<T> {
  /** The wanted records only. */
  readonly records: readonly T[];
  /** Where the query began for which `cursor` is valid, epoch ms. */
  readonly from: number;
  readonly cursor: string | undefined;
  /** There are more records than were searched. */
  readonly isTruncated: boolean;
}

interface ReadResult<T> {
  readonly records: readonly T[];
  readonly cursor: string | undefined;
  readonly hasMore: boolean;
  readonly pages: number;
}

/** Pages read of one span of time. A span with more is halved and read again. */
const piecePagesMax = 5;
/** Pages read of all spans together, because each page takes the service some work. */
const pagesMax = 40;
/** A span that has too many records is shortened to its last eighth. */
const shortening = 8;
/** A span is not divided into shorter ones than this. */
const pieceMsMin = 1_000;

/** Reads up to `piecePagesMax` pages after `request.after`. */
export async function readPagesAfter<T>(
  readPage: ReadPage<T>,
  request: PageRequest,
  isWanted: NewestQuery<T>['isWanted'],
): Promise<ReadResult<T>> {
  const records: T[] = [];
  let cursor = request.after;
  let hasMore = true;
  let pages = 0;
  for (; hasMore && pages < piecePagesMax; pages++) {
    const { data, page_info } = await readPage({ ...request, after: cursor });
    records.push(...data.filter(isWanted));
    cursor = page_info.end_cursor;
    hasMore = page_info.has_more;
  }
  return { records, cursor, hasMore, pages };
}

export async function readNewest<T>(
  readPage: ReadPage<T>,
  { since, now, wantedMax, isWanted }: NewestQuery<T>,
): Promise<NewestRecords<T>> {
  let from = since;
  let latest = await readPagesAfter(readPage, { from }, isWanted);
  let pages = latest.pages;
  while (latest.hasMore && now - from > pieceMsMin && pages < pagesMax) {
    from = now - Math.ceil((now - from) / shortening);
    latest = await readPagesAfter(readPage, { from }, isWanted);
    pages += latest.pages;
  }
  const pieces = [latest.records];
  let count = latest.records.length;
  let begin = from;
  let pieceMs = Math.max(now - from, pieceMsMin);
  while (begin > since && count < wantedMax && pages < pagesMax) {
    const start = Math.max(since, begin - pieceMs);
    const piece = await readPagesAfter(readPage, { from: start, to: begin }, isWanted);
    pages += piece.pages;
    if (piece.hasMore && pieceMs <= pieceMsMin) break;
    if (piece.hasMore) pieceMs = Math.ceil(pieceMs / 2);
    else if (piece.pages <= piecePagesMax / 2) pieceMs *= 2;
    if (piece.hasMore) continue;
    pieces.unshift(piece.records);
    count += piece.records.length;
    begin = start;
  }
  return { records: pieces.flat(), from, cursor: latest.cursor, isTruncated: latest.hasMore || begin > since };
}
