// A batch of retry and discard requests that share reads of the log: the oldest, and some of each workspace with few.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { ActRequest } from './delivery-acts.ts';

type Act = RecordOn<'requests'> & ActRequest;

/** The most requests in one batch, about 1 KiB each in memory. */
const actsMax = 2_048;
/**
 * Requests that are added in the order of the log; the rest of the batch is for workspaces with fewer than `eachMax`.
 */
const oldestMax = 1_536;
const eachMax = 64;

export class ActBatch {
  readonly acts: Act[] = [];
  readonly #counts = new Map<string, number>();
  #firstLeftOut: number | undefined;

  get isFull(): boolean {
    return this.acts.length >= actsMax;
  }

  /** The offset of the first request that was left out; undefined: none was. */
  get firstLeftOut(): number | undefined {
    return this.#firstLeftOut;
  }

  /** Call in the order of the log. Once a request of a workspace is left out, so are all its later ones. */
  add(act: Act): void {
    const { workspace, offset } = act;
    const count = this.#counts.get(workspace) ?? 0;
    if (this.acts.length < oldestMax || (count < eachMax && !this.isFull)) {
      this.acts.push(act);
      this.#counts.set(workspace, count + 1);
    } else this.#firstLeftOut ??= offset;
  }
}
