// Which listening sources have too much waiting, as runtime tells everyone; heard from the first subscription to one on.
import { randomUUID } from 'node:crypto';
import type { Log, Reply } from '../../../log/log.ts';

/** Runtime repeats `SourceFull` each second: three missed ones mean that it is no longer so. */
const fullMs = 3_000;

export class FullSources {
  readonly #fullUntil = new Map<string, number>();
  #close: (() => void) | undefined;

  /** Once is enough. */
  listen(log: Pick<Log, 'onReply'>): void {
    this.#close ??= log.onReply(`delivery-${randomUUID()}`, (reply) => this.#receive(reply));
  }

  has(sourceId: string): boolean {
    const until = this.#fullUntil.get(sourceId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#fullUntil.delete(sourceId);
    return false;
  }

  close(): void {
    this.#close?.();
  }

  #receive(reply: Reply): void {
    if (reply.type === 'SourceFull') this.#fullUntil.set(reply.sourceId, performance.now() + fullMs);
    if (reply.type === 'SourceFree') this.#fullUntil.delete(reply.sourceId);
  }
}
