// The results of one case.
import type { Source } from '../../../../libs/client/index.ts';

/** A source that remains after a case, and must answer again after a restart. */
export interface RemainingSource {
  readonly sourceId: string;
  readonly endpoint: string;
}

export interface AttackOutcome {
  /** A summary in a few words. */
  readonly summary: string;
  /** Broken promises, each with what was promised and what came. */
  readonly broken: readonly string[];
  readonly remaining?: RemainingSource;
}

export const remainingSourceOf = ({ id, configured_props }: Source): RemainingSource => ({
  sourceId: id,
  endpoint: configured_props.http?.endpoint_url ?? '',
});
