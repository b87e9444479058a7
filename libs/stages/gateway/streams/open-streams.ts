// The open streams: how many each workspace has, and when they send signs of life.
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import type { Stream } from './stream.ts';

/** A stream costs a connection and some 30 KiB; one workspace leaves half of them to the others. */
export const streamsMax = { gateway: 2_000, workspace: 1_000 };

interface Owned {
  readonly stream: Stream;
  readonly workspace: string;
  readonly apiKeyHash: string;
}

interface Beats {
  readonly isKnownKey: (apiKeyHash: string) => boolean;
  readonly beatMs: () => number;
}

export class OpenStreams {
  /** Each with the time of its next sign of life, on the steady clock. */
  readonly #beatAt = new Map<Owned, number>();
  readonly #ofWorkspace = new Map<string, number>();

  get size(): number {
    return this.#beatAt.size;
  }

  all(): Iterable<Owned> {
    return this.#beatAt.keys();
  }

  /** Returns a function to call when the stream has ended; further calls do nothing. Throws TooManyWaiting. */
  add(owned: Owned, beatAt: number): () => void {
    const { workspace } = owned;
    if (this.size >= streamsMax.gateway || this.#countOf(workspace) >= streamsMax.workspace)
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

  /** Sends signs of life, and ends streams whose API key is no longer known. */
  beat(now: number, { isKnownKey, beatMs }: Beats): void {
    for (const [owned, at] of this.#beatAt) {
      if (now < at) continue;
      if (isKnownKey(owned.apiKeyHash)) owned.stream.beat();
      else owned.stream.end();
      this.#beatAt.set(owned, now + beatMs());
    }
  }

  #countOf(workspace: string): number {
    return this.#ofWorkspace.get(workspace) ?? 0;
  }
}
