// Explains why an existing source does not run, and how to make it run.
import type { Source } from '../../../../libs/client/index.ts';
import { isApiError } from '../../failures/explain.ts';
import { exitCodes, Failure } from '../../failures/failure.ts';

type NamedSource = Pick<Source, 'id' | 'name_slug'>;

/** For a source that cannot run, the service answers 404 with its state; other errors are returned unchanged. */
export function explainIdle(source: NamedSource, error: unknown): unknown {
  if (!isApiError(error) || error.status !== 404) return error;
  const { state } = (error.details ?? {}) as { readonly state?: string };
  if (state === undefined) return error;
  const { message, hint } = idleReason(source, state);
  return new Failure(message, exitCodes.failed, hint);
}

export function idleReason(
  { id, name_slug }: NamedSource,
  state: string,
): { readonly message: string; readonly hint: string } {
  const name = name_slug ?? id;
  const hint =
    state === 'inactive' ? `\`pd update ${name} --activate\` makes it run again.` : `See \`pd describe ${name}\`.`;
  return { message: `The source ${name} is ${state}.`, hint };
}
