// Keeps the open streams: bounds how many each workspace has, sends heartbeats, and ends those no longer admitted.
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import type { Stream } from './stream.ts';

/** A stream costs a connection and some 30 KiB; one workspace can have half of them. */
export const streamsMax = { gateway: 2_000, workspace: 1_000 };

/** The streams of a key or session end within a second after it is gone or has expired. */
const checkMs = 250;

interface OpenStream {
  readonly stream: Pick<Stream, 'sendHeartbeat' | 'end'>;
  readonly workspace: string;
  readonly isAdmitted: () => boolean;
}

export class OpenStreams {
  /** Each with the time of its next heartbeat, on the monotonic clock. */
  readonly #nextHeartbeatAt = new Map<OpenStream, number>();
  readonly #countByWorkspace = new Map<string, number>();
  readonly #max: Readonly<typeof streamsMax>;
  #checkAt = 0;

  constructor(max: Readonly<typeof streamsMax> = streamsMax) {
    this.#max = max;
  }

  get size(): number {
    return this.#nextHeartbeatAt.size;
  }

  all(): Iterable<OpenStream> {
    return this.#nextHeartbeatAt.keys();
  }

  /** Returns a function to call when the stream has ended; further calls do nothing. Throws TooManyWaiting. */
  add(openStream: OpenStream, nextHeartbeatAt: number): () => void {
    const { workspace } = openStream;
    if (this.size >= this.#max.gateway || this.#countOf(workspace) >= this.#max.workspace)
      throw new TooManyWaiting('Too many streams are open.');
    this.#nextHeartbeatAt.set(openStream, nextHeartbeatAt);
    this.#countByWorkspace.set(workspace, this.#countOf(workspace) + 1);
    return () => {
      if (!this.#nextHeartbeatAt.delete(openStream)) return;
      const remaining = this.#countOf(workspace) - 1;
      if (remaining > 0) this.#countByWorkspace.set(workspace, remaining);
      else this.#countByWorkspace.delete(workspace);
    };
  }

  /** Sends heartbeats that are due, and ends streams whose API key or session can no longer be used. */
  sendHeartbeats(now: number, heartbeatMs: () => number): void {
    this.#endUnauthorized(now);
    for (const [openStream, dueAt] of this.#nextHeartbeatAt) {
      if (now < dueAt) continue;
      openStream.stream.sendHeartbeat();
      this.#nextHeartbeatAt.set(openStream, now + heartbeatMs());
    }
  }

  #endUnauthorized(now: number): void {
    if (now < this.#checkAt) return;
    this.#checkAt = now + checkMs;
    for (const { isAdmitted, stream } of this.#nextHeartbeatAt.keys()) if (!isAdmitted()) stream.end();
  }

  #countOf(workspace: string): number {
    return this.#countByWorkspace.get(workspace) ?? 0;
  }
}
