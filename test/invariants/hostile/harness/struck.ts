// The results of one case.
import type { Source } from '../../../../libs/client/index.ts';

/** A source that remains after a case, and must answer again after a restart. */
export interface Left {
  readonly sourceId: string;
  readonly endpoint: string;
}

export interface Struck {
  /** A summary in a few words. */
  readonly said: string;
  /** Broken promises, each with what was promised and what came. */
  readonly broken: readonly string[];
  readonly left?: Left;
}

export const leftOf = ({ id, configured_props }: Source): Left => ({
  sourceId: id,
  endpoint: configured_props.http?.endpoint_url ?? '',
});
