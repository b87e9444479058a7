// Where the pages of a list are read from.
import type { ViewDocument, ViewQuery } from '../../../../view-store/view-store.ts';

export type PageQuery = Pick<ViewQuery, 'order' | 'limit' | 'after'>;

export interface Listed {
  /** Gives nothing only at the end of the list. */
  find(query: PageQuery): Promise<readonly ViewDocument[]>;
  count(): Promise<number>;
  /** Whether the page that was found last has ended at its bytes, so that there may be more. */
  readonly isCut?: boolean;
}

export type Place = NonNullable<ViewQuery['after']>;
