// All streams of the same records that are up to date: each record is read and encoded once for all of them.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { Followed, Place } from './kind.ts';
import { SourceReader } from './reader.ts';
import type { Shown } from './reader.ts';
import type { Stream } from '../stream.ts';

/** Text is compared in binary order, as the views do: these places are ASCII. */
function isBehind(place: NonNullable<Place>, other: Place): boolean {
  if (other === undefined || place.sort > other.sort) return true;
  return place.sort === other.sort && place.id > other.id;
}

/** Everything up to the place was sent: that is all that stands below an offset. */
export interface SentTo {
  readonly place: Place;
  readonly end: number;
}

export class Feed {
  readonly followed: Followed;
  readonly #reader: SourceReader;
  /** With the place from which a stream has joined, where that is ahead of the feed's. */
  readonly #streams = new Map<Stream, Place>();
  #place: Place;
  /** What the views had passed when they were read last. */
  #end: number;
  /** Nothing was sent that stands there or above. */
  #sentBelow: number;

  constructor(followed: Followed, at: SentTo) {
    this.followed = followed;
    this.#reader = new SourceReader(followed);
    this.#place = at.place;
    this.#end = at.end;
    this.#sentBelow = at.end;
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  get end(): number {
    return this.#end;
  }

  /** False: the feed may have sent something that this one has not, which has been sent all below `end`. */
  join(stream: Stream, { place, end }: SentTo): boolean {
    if (end < this.#sentBelow) return false;
    this.#streams.set(stream, place);
    return true;
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream);
  }

  /** Ends all of them. */
  close(): void {
    for (const stream of this.#streams.keys()) stream.end();
  }

  /** Sends what is shown by now. */
  async send(shown: Shown): Promise<void> {
    this.#sentBelow = Math.max(this.#sentBelow, shown.end);
    while (!this.isEmpty) {
      const page = await this.#reader.page(shown, this.#place);
      if (page === undefined) return;
      this.#publish(page.documents);
      if (page.isLast) break;
    }
    this.#end = shown.end;
  }

  #publish(documents: readonly ViewDocument[]): void {
    const last = documents.at(-1);
    const first = documents.at(0);
    if (first === undefined || last === undefined) return;
    const { placeOf } = this.followed.kind;
    const begins = placeOf(first);
    const encoded = new Map<string, Buffer | undefined>();
    for (const [stream, joinedAt] of this.#streams) {
      const bytes = isBehind(begins, joinedAt)
        ? encodedOnce(encoded, stream, documents)
        : stream.selection.encode(documents.filter((one) => isBehind(placeOf(one), joinedAt)));
      if (bytes !== undefined) stream.write(bytes);
    }
    this.#place = placeOf(last);
    this.#reader.learn(Math.max(0, ...[...encoded.values()].map((bytes) => bytes?.length ?? 0)));
  }
}

function encodedOnce(
  encoded: Map<string, Buffer | undefined>,
  { selection }: Stream,
  documents: readonly ViewDocument[],
): Buffer | undefined {
  const { key } = selection;
  if (!encoded.has(key)) encoded.set(key, selection.encode(documents));
  return encoded.get(key);
}
