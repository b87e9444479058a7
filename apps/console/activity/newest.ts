// The newest records of a topic, of which history gives the oldest first: the time that is asked for becomes shorter until
// what it holds can be read, and then what came before is read piece by piece.

export interface Asked {
  readonly from: number;
  /** Exclusive; undefined: without an end. */
  readonly to?: number | undefined;
  readonly after?: string | undefined;
}

export interface Answered<T> {
  readonly data: readonly T[];
  readonly page_info: { readonly end_cursor: string; readonly has_more: boolean };
}

export type Ask<T> = (asked: Asked) => Promise<Answered<T>>;

export interface Sought<T> {
  /** Epoch ms; older records are ignored. */
  readonly since: number;
  readonly now: number;
  /** The search ends once it has found so many wanted records. */
  readonly enough: number;
  readonly isWanted: (record: T) => boolean;
}

export interface Newest<T> {
  /** The wanted records only. */
  readonly found: readonly T[];
  /** Where the query began for which `cursor` is valid, epoch ms. */
  readonly from: number;
  readonly cursor: string | undefined;
  /** There are more records than were searched. */
  readonly isCut: boolean;
}

interface Read<T> {
  readonly found: readonly T[];
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

/** Reads up to `piecePagesMax` pages after `asked.after`. */
export async function readOn<T>(ask: Ask<T>, asked: Asked, isWanted: Sought<T>['isWanted']): Promise<Read<T>> {
  const found: T[] = [];
  let cursor = asked.after;
  let hasMore = true;
  let pages = 0;
  for (; hasMore && pages < piecePagesMax; pages++) {
    const { data, page_info } = await ask({ ...asked, after: cursor });
    found.push(...data.filter(isWanted));
    cursor = page_info.end_cursor;
    hasMore = page_info.has_more;
  }
  return { found, cursor, hasMore, pages };
}

export async function readNewest<T>(ask: Ask<T>, { since, now, enough, isWanted }: Sought<T>): Promise<Newest<T>> {
  let from = since;
  let latest = await readOn(ask, { from }, isWanted);
  let pages = latest.pages;
  while (latest.hasMore && now - from > pieceMsMin && pages < pagesMax) {
    from = now - Math.ceil((now - from) / shortening);
    latest = await readOn(ask, { from }, isWanted);
    pages += latest.pages;
  }
  const found = [latest.found];
  let count = latest.found.length;
  let begin = from;
  let pieceMs = Math.max(now - from, pieceMsMin);
  while (begin > since && count < enough && pages < pagesMax) {
    const start = Math.max(since, begin - pieceMs);
    const piece = await readOn(ask, { from: start, to: begin }, isWanted);
    pages += piece.pages;
    if (piece.hasMore && pieceMs <= pieceMsMin) break;
    if (piece.hasMore) pieceMs = Math.ceil(pieceMs / 2);
    else if (piece.pages <= piecePagesMax / 2) pieceMs *= 2;
    if (piece.hasMore) continue;
    found.unshift(piece.found);
    count += piece.found.length;
    begin = start;
  }
  return { found: found.flat(), from, cursor: latest.cursor, isCut: latest.hasMore || begin > since };
}
