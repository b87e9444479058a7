// Reads what is followed behind a place, in pages whose size follows that of the records.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { Followed, Place } from './kind.ts';

/** How far the views have passed the source's partition, and the build that says so. */
export interface Shown {
  readonly build: ViewBuild;
  readonly buildName: string;
  /** Every record below this offset is shown; of those at it or above it some may be. */
  readonly end: number;
}

export interface PageRead {
  readonly documents: readonly ViewDocument[];
  /** Nothing else is shown for sure. */
  readonly isLast: boolean;
}

/** With events of 512 KiB a first page has 2 MiB. */
const firstLimit = 4;
const limitMax = 64;
/** Pages become smaller above the one and larger below the other. */
const pageBytes = { most: 256 * 1024, least: 128 * 1024 };

export class SourceReader {
  readonly #followed: Followed;
  #limit = firstLimit;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /**
   * What follows the place, oldest first. Undefined: the views were exchanged meanwhile. A record is left for later until
   * every one before it is shown: whoever has seen it resumes behind it.
   */
  async page({ build, buildName, end }: Shown, place: Place): Promise<PageRead | undefined> {
    const { kind, sourceId, channel } = this.#followed;
    const limit = this.#limit;
    const found = await build.find(kind.view, {
      ...{ ...kind.listOf(sourceId, channel), order: 'ascending', limit },
      ...(place === undefined ? {} : { after: place }),
    });
    if (build.name !== buildName) return undefined;
    const early = found.findIndex(({ version }) => version >= end);
    const documents = early === -1 ? found : found.slice(0, early);
    return { documents, isLast: early !== -1 || found.length < limit };
  }

  /** Told how much the last page was. */
  learn(bytes: number): void {
    if (bytes > pageBytes.most) this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    if (bytes < pageBytes.least) this.#limit = Math.min(limitMax, this.#limit * 2);
  }

  /** The newest record that is shown with all before it. */
  async newest({ build, end }: Shown): Promise<Place> {
    const { kind, sourceId, channel } = this.#followed;
    for (let after: Place, limit = 1; ; limit = limitMax) {
      const query = { ...kind.listOf(sourceId, channel), order: 'descending', limit } as const;
      const found = await build.find(kind.view, after === undefined ? query : { ...query, after });
      const whole = found.find(({ version }) => version < end);
      const last = found.at(-1);
      if (whole !== undefined || last === undefined) return whole && kind.placeOf(whole);
      after = kind.placeOf(last);
    }
  }
}
