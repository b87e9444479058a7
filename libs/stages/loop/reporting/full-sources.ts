// Keeps which sources have too many waiting triggers, as runtime announces to every process.
import type { Reply } from '../../../log/log.ts';

/** Runtime repeats `SourceFull` each second: after three missed ones the source no longer counts as full. */
const staleAfterMs = 3_000;

export class FullSources {
  readonly #nowMs: () => number;
  readonly #fullUntil = new Map<string, number>();

  /** `nowMs` reads a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Ignores other types of reply. */
  apply(reply: Reply): void {
    if (reply.type === 'SourceFull') this.#fullUntil.set(reply.sourceId, this.#nowMs() + staleAfterMs);
    if (reply.type === 'SourceFree') this.#fullUntil.delete(reply.sourceId);
  }

  has(sourceId: string): boolean {
    const until = this.#fullUntil.get(sourceId);
    if (until === undefined) return false;
    if (until > this.#nowMs()) return true;
    this.#fullUntil.delete(sourceId);
    return false;
  }
}
