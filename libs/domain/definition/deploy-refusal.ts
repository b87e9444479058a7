// Why a process of a source was refused. A deploy's refusal is kept with its request, and returned again to repeats.
import type { ComponentError } from '../component/output.ts';
import type { PropProblem } from '../component/props/prop-problem.ts';

export type SourceRefusal =
  | 'repeated'
  | 'idempotency_conflict'
  | 'source_not_found'
  /** Another process of this source is in progress. */
  | 'busy'
  /** It does not parse, throws at load, or lacks what is required (docs/reference/component-api.md, "The definition of a component"). */
  | 'component_invalid'
  | 'props_invalid'
  /** A hook threw. */
  | 'hook_failed'
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

/** Why the deploy or the update of a source was refused; repeats of a deploy's request get the same refusal. */
export interface DeployRefusal {
  readonly reason: SourceRefusal;
  readonly message: string;
  readonly error?: ComponentError;
  readonly problems?: readonly PropProblem[];
}
