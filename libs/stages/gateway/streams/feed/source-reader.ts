// Reads the followed records after a position, in pages whose length adapts to the size of the records.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { FollowedChannel, StreamPosition } from '../stream-kind.ts';

/** How far a build of the views has read the source's partition. */
export interface ViewsSnapshot {
  readonly build: ViewBuild;
  readonly buildName: string;
  /** Every record below this offset is shown; some at or above it can be shown, too. */
  readonly end: number;
}

export interface PageRead {
  readonly documents: readonly ViewDocument[];
  /** No further record is known to be shown. */
  readonly isLast: boolean;
}

/** With events of 512 KiB the first page has 2 MiB. */
const firstLimit = 4;
const limitMax = 64;
/** Pages become shorter above `most` and longer below `least`. */
const pageBytes = { most: 256 * 1024, least: 128 * 1024 };

export class SourceReader {
  readonly #followed: FollowedChannel;
  #limit = firstLimit;

  constructor(followed: FollowedChannel) {
    this.#followed = followed;
  }

  /**
   * The records after the position, oldest first. Undefined: the views were replaced meanwhile. Holds a record back
   * until all records before it are shown, because a client that has received it resumes after it.
   */
  async page({ build, buildName, end }: ViewsSnapshot, position: StreamPosition): Promise<PageRead | undefined> {
    const { kind, sourceId, channel } = this.#followed;
    const limit = this.#limit;
    const found = await build.find(kind.view, {
      ...kind.listOf(sourceId, channel),
      order: 'ascending',
      limit,
      ...(position === undefined ? {} : { after: position }),
    });
    if (build.name !== buildName) return undefined;
    const firstUnsettled = found.findIndex(({ version }) => version >= end);
    const documents = firstUnsettled === -1 ? found : found.slice(0, firstUnsettled);
    return { documents, isLast: firstUnsettled !== -1 || found.length < limit };
  }

  /** Adapts the page length to the bytes of the last page. */
  adaptLimit(bytes: number): void {
    if (bytes > pageBytes.most) this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    if (bytes < pageBytes.least) this.#limit = Math.min(limitMax, this.#limit * 2);
  }

  /** The newest record that is shown together with all records before it. */
  async newest({ build, end }: ViewsSnapshot): Promise<StreamPosition> {
    const { kind, sourceId, channel } = this.#followed;
    for (let after: StreamPosition, limit = 1; ; limit = limitMax) {
      const query = { ...kind.listOf(sourceId, channel), order: 'descending', limit } as const;
      const found = await build.find(kind.view, after === undefined ? query : { ...query, after });
      const complete = found.find(({ version }) => version < end);
      const last = found.at(-1);
      if (complete !== undefined || last === undefined) return complete && kind.positionOf(complete);
      after = kind.positionOf(last);
    }
  }
}
