// All streams of the same records that are up to date: each record is read and encoded once for all of them.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { Turn } from '../../../../log/turn.ts';
import { isBehind } from './kind.ts';
import type { Followed, Place } from './kind.ts';
import { SourceReader } from './reader.ts';
import type { Shown } from './reader.ts';
import type { Stream } from '../stream.ts';
import type { Turns } from '../sharing/turns.ts';

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
  #isSending = false;

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

  /** Meanwhile nobody else may have it send. */
  get isSending(): boolean {
    return this.#isSending;
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

  /** Sends what is shown by now, a page in a turn. */
  async send(shown: Shown, turns: Turns): Promise<void> {
    this.#isSending = true;
    try {
      while (!this.isEmpty) {
        const page = await turns.take(this.followed.workspace, async () => {
          const read = await this.#reader.page(shown, this.#place);
          if (read !== undefined) await this.#publish(read.documents).catch((error: unknown) => this.#endAll(error));
          return read;
        });
        if (page === undefined) return;
        if (page.isLast) break;
      }
      this.#end = shown.end;
    } finally {
      this.#isSending = false;
    }
  }

  /** Some may lack what others have been sent: all go on where they are when they connect again. */
  #endAll(error: unknown): never {
    this.close();
    throw error;
  }

  /** In short pieces. Who joins meanwhile has been sent the page, or is refused. */
  async #publish(documents: readonly ViewDocument[]): Promise<void> {
    const last = documents.at(-1);
    if (last === undefined) return;
    this.#sentBelow = documents.reduce((below, { version }) => Math.max(below, version + 1), this.#sentBelow);
    this.#place = this.followed.kind.placeOf(last);
    const turn = new Turn();
    let most = 0;
    for (const { streams, from } of this.#groups(documents)) {
      const bytes = streams[0]?.selection.encode(documents.slice(from));
      most = Math.max(most, bytes?.length ?? 0);
      for (const stream of streams) {
        if (bytes !== undefined) stream.write(bytes);
        if (turn.isOver) await turn.next();
      }
      if (turn.isOver) await turn.next();
    }
    this.#reader.learn(most);
  }

  /** Those that are sent the same bytes: what their selection leaves of the documents from one of them on. */
  #groups(documents: readonly ViewDocument[]): Iterable<Group> {
    const { placeOf } = this.followed.kind;
    const places = documents.map(placeOf);
    const groups = new Map<string, Group>();
    for (const [stream, joinedAt] of this.#streams) {
      const from = places.findIndex((place) => isBehind(place, joinedAt));
      if (from === -1) continue;
      const key = `${from} ${stream.selection.key}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { streams: [stream], from });
      else group.streams.push(stream);
    }
    return groups.values();
  }
}

interface Group {
  readonly streams: Stream[];
  readonly from: number;
}
