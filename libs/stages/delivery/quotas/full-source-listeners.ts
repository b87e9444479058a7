// Tracks from runtime's replies which listening sources have a full queue.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../../log/log.ts';
import { FullSources } from '../../loop/reporting/full-sources.ts';

export class FullSourceListeners {
  readonly #full = new FullSources();
  #stopListening: (() => void) | undefined;

  /** Starts to listen; further calls have no effect. */
  listen(log: Pick<Log, 'onReply'>): void {
    this.#stopListening ??= log.onReply(`delivery-${randomUUID()}`, (reply) => this.#full.apply(reply));
  }

  has(sourceId: string): boolean {
    return this.#full.has(sourceId);
  }

  close(): void {
    this.#stopListening?.();
  }
}
