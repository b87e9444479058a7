// The streams that are open, how many of each workspace, and their signs of life.
import { tooMany } from '../http/api-problem.ts';
import type { Stream } from './stream.ts';

/** A stream costs a connection and some 30 KiB; a workspace leaves as much to the others. */
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
  /** With the time of the next sign of life, on the steady clock. */
  readonly #beatAt = new Map<Owned, number>();
  readonly #ofWorkspace = new Map<string, number>();

  get size(): number {
    return this.#beatAt.size;
  }

  all(): Iterable<Owned> {
    return this.#beatAt.keys();
  }

  /** Gives what is to be called when it has ended, once or more often. Throws ApiProblem 429. */
  add(owned: Owned, beatAt: number): () => void {
    const { workspace } = owned;
    if (this.size >= streamsMax.gateway || this.#countOf(workspace) >= streamsMax.workspace)
      throw tooMany('Too many streams are open.');
    this.#beatAt.set(owned, beatAt);
    this.#ofWorkspace.set(workspace, this.#countOf(workspace) + 1);
    return () => {
      if (!this.#beatAt.delete(owned)) return;
      const left = this.#countOf(workspace) - 1;
      if (left > 0) this.#ofWorkspace.set(workspace, left);
      else this.#ofWorkspace.delete(workspace);
    };
  }

  /** Ends those whose key is not known any more. */
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
