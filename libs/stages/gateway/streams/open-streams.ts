// Keeps the open streams: bounds how many each workspace has, sends heartbeats, and ends those no longer admitted.
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import type { Stream } from './stream.ts';

/** A stream costs a connection and some 30 KiB; one workspace can have half of them. */
export const streamsMax = { gateway: 2_000, workspace: 1_000 };

/** The streams of a key or session end within a second after it is gone or has expired. */
const checkMs = 250;

interface Owned {
  readonly stream: Pick<Stream, 'beat' | 'end'>;
  readonly workspace: string;
  readonly isAdmitted: () => boolean;
}

export class OpenStreams {
  /** Each with the time of its next heartbeat, on the monotonic clock. */
  readonly #beatAt = new Map<Owned, number>();
  readonly #ofWorkspace = new Map<string, number>();
  readonly #max: Readonly<typeof streamsMax>;
  #checkAt = 0;

  constructor(max: Readonly<typeof streamsMax> = streamsMax) {
    this.#max = max;
  }

  get size(): number {
    return this.#beatAt.size;
  }

  all(): Iterable<Owned> {
    return this.#beatAt.keys();
  }

  /** Returns a function to call when the stream has ended; further calls do nothing. Throws TooManyWaiting. */
  add(owned: Owned, beatAt: number): () => void {
    const { workspace } = owned;
    if (this.size >= this.#max.gateway || this.#countOf(workspace) >= this.#max.workspace)
      throw new TooManyWaiting('Too many streams are open.');
    this.#beatAt.set(owned, beatAt);
    this.#ofWorkspace.set(workspace, this.#countOf(workspace) + 1);
    return () => {
      if (!this.#beatAt.delete(owned)) return;
      const left = this.#countOf(workspace) - 1;
      if (left > 0) this.#ofWorkspace.set(workspace, left);
      else this.#ofWorkspace.delete(workspace);
    };
  }

  /** Sends heartbeats that are due, and ends streams whose API key or session can no longer be used. */
  beat(now: number, beatMs: () => number): void {
    this.#endRefused(now);
    for (const [owned, at] of this.#beatAt) {
      if (now < at) continue;
      owned.stream.beat();
      this.#beatAt.set(owned, now + beatMs());
    }
  }

  #endRefused(now: number): void {
    if (now < this.#checkAt) return;
    this.#checkAt = now + checkMs;
    for (const { isAdmitted, stream } of this.#beatAt.keys()) if (!isAdmitted()) stream.end();
  }

  #countOf(workspace: string): number {
    return this.#ofWorkspace.get(workspace) ?? 0;
  }
}
