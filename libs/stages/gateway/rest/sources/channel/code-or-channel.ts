// Checks what a request can ask for of a channel, which has no code.
import type { SourceView } from '../../../../../domain/views/index.ts';
import { ApiProblem } from '../../../http/api-problem.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import type { FieldProblem } from '../../../http/input/field-problem.ts';
import { requireCodeReference } from '../../code/code-reference.ts';
import type { CodeReference } from '../../code/code-reference.ts';
import type { DeploySourceDto } from '../sources.dto.ts';

/** Takes the place of code in a request for a channel. */
export interface ChannelInput {
  readonly kind: 'channel';
}

/** Fields that only a component has. */
const codeFields = [
  'component_code',
  'component_id',
  'component_url',
  'files',
  'key',
  'entry',
  'configured_props',
  'timeout_ms',
  'memory_mb',
  'rate_limit',
  'concurrency',
  'emit_on_deploy',
] as const satisfies (keyof DeploySourceDto)[];

/** The code or channel to deploy. Throws ApiProblem. */
export function readCodeOrChannel(input: DeploySourceDto): CodeReference | ChannelInput {
  if (input.kind !== 'channel') return requireCodeReference(input);
  const givenFields = codeFields.filter((field) => (input[field] ?? null) !== null);
  const problems: FieldProblem[] = givenFields.map((field) => ({
    field,
    message: `${field} is not taken for a channel, which has no code`,
  }));
  if ((input.name ?? null) === null) problems.push({ field: 'name', message: 'name is required for a channel' });
  if (problems.length > 0) throw problemsOf(problems);
  return { kind: 'channel' };
}

/** The source, if it can be run. Throws ApiProblem for a channel. */
export function requireComponent(source: SourceView): SourceView {
  if (source.kind !== 'channel') return source;
  const message = `Source ${source.sourceId} is a channel: it has no code to run. Publish its events with POST /v1/sources/ID/events.`;
  throw new ApiProblem(409, 'is_channel', message);
}
