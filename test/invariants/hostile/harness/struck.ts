// What came of one case.
import type { Source } from '../../../../libs/client/index.ts';

/** What is left of a case: a source that must answer again after a restart. */
export interface Left {
  readonly sourceId: string;
  readonly endpoint: string;
}

export interface Struck {
  /** In a few words, for people. */
  readonly said: string;
  /** Promises that did not hold; each names what was promised and what came. */
  readonly broken: readonly string[];
  readonly left?: Left;
}

export const leftOf = ({ id, configured_props }: Source): Left => ({
  sourceId: id,
  endpoint: configured_props.http?.endpoint_url ?? '',
});
