// Why the process of a source was refused: that of a deploy is kept with its request, which is answered with it again.
import type { ComponentError } from '../component/output.ts';
import type { PropProblem } from '../component/props/prop-problem.ts';

export type SourceRefusal =
  | 'repeated'
  | 'idempotency_conflict'
  | 'source_not_found'
  /** Another process of this source is under way. */
  | 'busy'
  /** It does not parse, throws at load, or lacks what is required (docs/reference/component-api.md, "The definition of a component"). */
  | 'component_invalid'
  | 'props_invalid'
  /** A hook threw. */
  | 'hook_failed'
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

/** Why the deploy of a source, or its update, was refused; a repeat of the request to deploy is answered with it again. */
export interface DeployRefusal {
  readonly reason: SourceRefusal;
  readonly message: string;
  readonly error?: ComponentError;
  readonly problems?: readonly PropProblem[];
}
