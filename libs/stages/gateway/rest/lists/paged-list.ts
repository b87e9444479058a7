// The source from which pages of a list are read.
import type { ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';

export type PageQuery = Pick<ViewQuery, 'order' | 'limit' | 'after'>;

export interface PagedList {
  /** Returns nothing only at the end of the list. */
  find(query: PageQuery): Promise<readonly ViewDocument[]>;
  count(): Promise<number>;
  /** Whether the last page ended because of its bytes, so that there might be more. */
  readonly isTruncated?: boolean;
}

export type ListPosition = NonNullable<ViewQuery['after']>;
