// The recent ids of a partition's sources, as `state` left them and as the outputs taken so far change them.
import type { MessageOn } from '../../../domain/messages-of.ts';
import { recentKey, sourceOfRecentKey } from '../../../domain/publish/recent-key.ts';
import { RecentIds } from '../../../domain/publish/recent-ids.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';

export class Recents {
  readonly #bySource = new Map<string, RecentIds>();

  /** True: the record is about recent ids. */
  accept(record: MessageOn<'state'>): boolean {
    if (isTombstone(record)) {
      const sourceId = sourceOfRecentKey(record.key);
      if (sourceId !== undefined) this.#bySource.delete(sourceId);
      return sourceId !== undefined;
    }
    if (record.type !== 'RecentIdsSaved') return false;
    this.of(record.data.sourceId).restore(record.data);
    return true;
  }

  /** Everything on the log was accepted. */
  restored(): void {
    for (const recent of this.#bySource.values()) recent.restored();
  }

  of(sourceId: string): RecentIds {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) return known;
    const made = new RecentIds();
    this.#bySource.set(sourceId, made);
    return made;
  }

  /** Keys of what the log has of a source, which is forgotten. */
  forget(sourceId: string): readonly string[] {
    const segments = this.#bySource.get(sourceId)?.segments ?? 0;
    this.#bySource.delete(sourceId);
    return Array.from({ length: segments }, (_, segment) => recentKey(sourceId, segment));
  }
}
