// Keeps the position of the live views: where writing begins, advanced after each batch, and compared with the one that
// the store holds.
import { PortError } from '../../../domain/port-error.ts';
import { positionKey, type Log, type Page, type Positions } from '../../../log/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import { firstAhead, keyOf, type Share } from '../inputs.ts';
import { firstOther, lastRecordsOf } from './held-records.ts';

export interface LivePositionsOptions {
  readonly log: Log;
  readonly views: ViewStore;
  /** Called when the views restart empty, with the reason as a readable text. */
  readonly onViewsReset?: (message: string) => void;
}

export class LivePositions {
  readonly #options: LivePositionsOptions;
  #positions: Positions = {};

  constructor(options: LivePositionsOptions) {
    this.#options = options;
  }

  /** Records before these positions are not written again. */
  get positions(): Positions {
    return this.#positions;
  }

  /**
   * Returns the live checkpoint's positions; views that are ahead of the log, or hold another record than it has, were
   * made from another, and restart empty.
   */
  async restore(share: Share): Promise<Positions> {
    const { log, views, onViewsReset } = this.#options;
    const positions = await views.live().resume();
    const found = await this.#findOtherLog(positions, share);
    if (found === undefined) return (this.#positions = positions);
    if (share.size < log.partitions) {
      const advice = 'Stop all projections but one, which then builds them again, or give this log its own views.';
      throw new PortError('mismatch', `${found}: they were made from another log. ${advice}`);
    }
    await views.switchTo(await views.begin());
    onViewsReset?.(`${found}, and are built again.`);
    return (this.#positions = {});
  }

  /** Returns how the log differs from the one that the views were made from; undefined: it is that one. */
  async #findOtherLog(positions: Positions, share: Share): Promise<string | undefined> {
    const { log, views } = this.#options;
    const ahead = await firstAhead(log, positions, share);
    if (ahead !== undefined)
      return `The views had passed ${positionKey(ahead.topic, ahead.partition)} at ${ahead.offset}, beyond the log's end`;
    const other = await firstOther(log, await views.live().heldRecords(), share);
    if (other === undefined) return undefined;
    return `The views hold another record of ${positionKey(other.topic, other.partition)} at ${other.offset} than the log`;
  }

  /** Call when the documents of these pages are written. Throws as `verifyStored` does. */
  async advance(pages: readonly Page[]): Promise<void> {
    await this.verifyStored();
    const reached = Object.fromEntries(pages.map((page) => [keyOf(page), page.next]));
    await this.#options.views.live().saveCheckpoint(reached, lastRecordsOf(pages));
    this.#positions = { ...this.#positions, ...reached };
  }

  /**
   * Throws PortError `unavailable` when the store no longer holds what was passed: the views were emptied or replaced
   * by an older copy. Continuing from here would lose those documents for good, so begin again. What another lane
   * passes while the store answers can be missing in the answer.
   */
  async verifyStored(): Promise<void> {
    const before = this.#positions;
    const stored = await this.#options.views.live().checkpoint();
    const lost = Object.entries(before).find(([key, position]) => (stored[key] ?? 0) < position);
    if (lost === undefined) return;
    const [key, position] = lost;
    const found = `The views had passed ${key} at ${position}, and are at ${stored[key] ?? 0} now`;
    throw new PortError('unavailable', `${found}: they were emptied or restored, and are filled again from there`);
  }
}
