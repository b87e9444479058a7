// Which sources have too much waiting, as runtime tells everyone.
import type { Reply } from '../../../log/log.ts';

/** Runtime repeats `SourceFull` each second: three missed ones mean that it is no longer so. */
const fullMs = 3_000;

export class FullSources {
  readonly #nowMs: () => number;
  readonly #fullUntil = new Map<string, number>();

  /** `nowMs`: of a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Other replies say nothing about it. */
  take(reply: Reply): void {
    if (reply.type === 'SourceFull') this.#fullUntil.set(reply.sourceId, this.#nowMs() + fullMs);
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
