// Keeps the position of the live views: where writing begins, advanced after each batch, and compared with the one that
// the store holds.
import { PortError } from '../../../domain/port-error.ts';
import { positionKey, type Log, type Page, type Positions } from '../../../log/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import { aheadOf, keyOf, type Share } from '../inputs.ts';

export interface PassedOptions {
  readonly log: Log;
  readonly views: ViewStore;
  /** Called when the views restart empty, with the reason as a readable text. */
  readonly onFresh?: (message: string) => void;
}

export class Passed {
  readonly #options: PassedOptions;
  #positions: Positions = {};

  constructor(options: PassedOptions) {
    this.#options = options;
  }

  /** Records before these positions are not written again. */
  get positions(): Positions {
    return this.#positions;
  }

  /**
   * Returns the live checkpoint's positions; views that are ahead of the log were made from another, and restart empty.
   */
  async begin(share: Share): Promise<Positions> {
    const { log, views, onFresh } = this.#options;
    const positions = await views.live().resume();
    const ahead = await aheadOf(log, positions, share);
    if (ahead === undefined) return (this.#positions = positions);
    const found = `The views had passed ${positionKey(ahead.topic, ahead.partition)} at ${ahead.offset}, beyond the log's end`;
    if (share.size < log.partitions) {
      const advice = 'Stop all projections but one, which then builds them again, or give this log its own views.';
      throw new PortError('mismatch', `${found}: they were made from another log. ${advice}`);
    }
    await views.switchTo(await views.begin());
    onFresh?.(`${found}, and are built again.`);
    return (this.#positions = {});
  }

  /** Call when the documents of these pages are written. Throws as `check` does. */
  async move(pages: readonly Page[]): Promise<void> {
    await this.check();
    const moved = Object.fromEntries(pages.map((page) => [keyOf(page), page.next]));
    await this.#options.views.live().saveCheckpoint(moved);
    this.#positions = { ...this.#positions, ...moved };
  }

  /**
   * Throws PortError `unavailable` when the store no longer holds what was passed: the views were emptied or replaced
   * by an older copy. Continuing from here would lose those documents for good, so begin again. What another lane
   * passes while the store answers can be missing in the answer.
   */
  async check(): Promise<void> {
    const before = this.#positions;
    const kept = await this.#options.views.live().checkpoint();
    const lost = Object.entries(before).find(([key, passed]) => (kept[key] ?? 0) < passed);
    if (lost === undefined) return;
    const [key, passed] = lost;
    const found = `The views had passed ${key} at ${passed}, and are at ${kept[key] ?? 0} now`;
    throw new PortError('unavailable', `${found}: they were emptied or restored, and are filled again from there`);
  }
}
