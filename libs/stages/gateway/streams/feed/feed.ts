// Feeds all up-to-date streams of the same records: each record is read and encoded once for all of them.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { Turn } from '../../../../primitives/event-loop/turn.ts';
import { isAfter } from '../stream-kind.ts';
import type { FollowedChannel, StreamPosition } from '../stream-kind.ts';
import { SourceReader } from './source-reader.ts';
import type { ViewsSnapshot } from './source-reader.ts';
import type { Stream } from '../stream.ts';
import type { FairTurns } from '../../http/limits/fair-turns.ts';

/** All records up to `position` were sent: all below offset `end`. */
export interface SentPosition {
  readonly position: StreamPosition;
  readonly end: number;
}

export class Feed {
  readonly followed: FollowedChannel;
  readonly #reader: SourceReader;
  /** Each with the position at which it joined, which can be ahead of the feed's. */
  readonly #streams = new Map<Stream, StreamPosition>();
  #position: StreamPosition;
  /** The views' checkpoint at the last read. */
  #end: number;
  /** Every record that was sent has an offset below this. */
  #sentBelow: number;
  #isSending = false;

  constructor(followed: FollowedChannel, start: SentPosition) {
    this.followed = followed;
    this.#reader = new SourceReader(followed);
    this.#position = start.position;
    this.#end = start.end;
    this.#sentBelow = start.end;
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  get end(): number {
    return this.#end;
  }

  /** While it is true, `send` must not be called. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** Adds a stream that was sent all below `end`. False: the feed might have sent records that it still lacks. */
  join(stream: Stream, { position, end }: SentPosition): boolean {
    if (end < this.#sentBelow) return false;
    this.#streams.set(stream, position);
    return true;
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream);
  }

  /** Ends all its streams. */
  close(): void {
    for (const stream of this.#streams.keys()) stream.end();
  }

  /** Sends the records that the views show now, one page per turn. */
  async send(snapshot: ViewsSnapshot, turns: FairTurns): Promise<void> {
    this.#isSending = true;
    try {
      while (!this.isEmpty) {
        const page = await turns.run(this.followed.workspace, async () => {
          const read = await this.#reader.page(snapshot, this.#position);
          if (read !== undefined) await this.#publish(read.documents).catch((error: unknown) => this.#endAll(error));
          return read;
        });
        if (page === undefined) return;
        if (page.isLast) break;
      }
      this.#end = snapshot.end;
    } finally {
      this.#isSending = false;
    }
  }

  /** After a failure some streams lack records that others have: all end, and each resumes after its last record. */
  #endAll(error: unknown): never {
    this.close();
    throw error;
  }

  /** Sends in short pieces. A stream that asks to join meanwhile has already been sent the page, or is refused. */
  async #publish(documents: readonly ViewDocument[]): Promise<void> {
    const last = documents.at(-1);
    if (last === undefined) return;
    this.#sentBelow = documents.reduce((below, { version }) => Math.max(below, version + 1), this.#sentBelow);
    this.#position = this.followed.kind.positionOf(last);
    const turn = new Turn();
    let largestBytes = 0;
    for (const { streams, from } of this.#groupStreams(documents)) {
      const bytes = streams[0]?.selection.encode(documents.slice(from));
      largestBytes = Math.max(largestBytes, bytes?.length ?? 0);
      for (const stream of streams) {
        if (bytes !== undefined) stream.write(bytes);
        if (turn.isOver) await turn.next();
      }
      if (turn.isOver) await turn.next();
    }
    this.#reader.adaptLimit(largestBytes);
  }

  /** Groups of streams that get the same bytes: the same selection, of the same documents. */
  #groupStreams(documents: readonly ViewDocument[]): Iterable<Group> {
    const { positionOf } = this.followed.kind;
    const positions = documents.map(positionOf);
    const groups = new Map<string, Group>();
    for (const [stream, joinedAt] of this.#streams) {
      const from = positions.findIndex((position) => isAfter(position, joinedAt));
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
