// Finds the code that a request names: as text or files, by a saved component's id, by a key or by a URL.
import type { Program } from '../../../../domain/component/program/program.ts';
import type { Repeatable } from '../../../../domain/definition/messages.ts';
import { programOfView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { notFound } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { programOfFiles } from './component-files.ts';
import type { FilesInput } from './component-files.ts';
import { fetchCode, fetchCodeByKey } from './fetch-code.ts';
import { findCode, findComponent, findPublished } from './find-component.ts';

interface CodeFields extends FilesInput {
  readonly component_code?: string | null;
  readonly component_id?: string | null;
  readonly component_url?: string | null;
  readonly key?: string | null;
}

/** A repeat is recognised by this, and not by the code: a key or a URL can lead to other code later. */
export type CodeReference =
  Program | { readonly componentId: string } | { readonly componentUrl: string } | { readonly registryKey: string };

const fields = [
  'component_code',
  'component_id',
  'component_url',
  'files',
  'key',
] as const satisfies (keyof CodeFields)[];

const isGiven = (input: CodeFields, field: keyof CodeFields): boolean => (input[field] ?? null) !== null;

/**
 * Undefined: the request names no code. Throws ApiProblem if it names code in two ways; but a URL next to code only
 * states where the code is from, as with the hosted service.
 */
export function readCodeReference(input: CodeFields): CodeReference | undefined {
  const givenFields = fields.filter((field) => isGiven(input, field));
  const [first, second] = givenFields.filter((field) => field !== 'component_url' || !isGiven(input, 'component_code'));
  if (second !== undefined) throw problemsOf([{ field: second, message: `Give ${first} or ${second}, not both` }]);
  const { component_code: code, component_id: componentId, component_url: componentUrl } = input;
  if (first === 'files') return programOfFiles(input);
  if ((input.entry ?? null) !== null)
    throw problemsOf([{ field: 'entry', message: 'entry is taken with files alone' }]);
  if (typeof code === 'string') return { code };
  if (typeof componentId === 'string') return { componentId };
  if (typeof componentUrl === 'string') return { componentUrl };
  return typeof input.key === 'string' ? { registryKey: input.key } : undefined;
}

/** Like `readCodeReference`, but the request must name code; `ways`: the fields with which it can. */
export function requireCodeReference(input: CodeFields, ways: readonly (keyof CodeFields)[] = fields): CodeReference {
  const reference = readCodeReference(input);
  if (reference !== undefined) return reference;
  const either = `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`;
  throw problemsOf([{ field: 'component_code', message: `Give ${either}` }]);
}

/**
 * The program that a request names. Code is not fetched again for a repeated request: its program is empty, and
 * the command that follows is refused as repeated. Throws ApiProblem if there is no such component, or no code at the
 * URL.
 */
export async function loadProgram(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'log'>,
  caller: Caller,
  reference: CodeReference,
  repeatable: Repeatable,
): Promise<Program> {
  if ('code' in reference) return reference;
  if ('componentUrl' in reference) return { code: await fetchCode(parts, caller, reference.componentUrl, repeatable) };
  const component =
    'registryKey' in reference
      ? await findPublished(parts, caller, reference.registryKey)
      : await findComponent(parts, caller, reference.componentId);
  if (component === undefined && 'registryKey' in reference)
    return { code: await fetchCodeByKey(parts, caller, reference.registryKey, repeatable) };
  if (component === undefined) throw notFound({ field: 'component_id', record: 'component' });
  return programOfView(await findCode(parts, caller, component));
}
