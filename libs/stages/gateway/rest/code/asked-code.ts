// Finds the code that a request names: as text or files, by a saved component's id, by a key or by a URL.
import type { Program } from '../../../../domain/component/program/program.ts';
import type { Repeatable } from '../../../../domain/definition/messages.ts';
import { programOfView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { notFound } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { programOfFiles } from './asked-files.ts';
import type { AskedFiles } from './asked-files.ts';
import { fetchCode, findKey } from './fetch-code.ts';
import { findCode, findComponent, findPublished } from './find-component.ts';

interface Fields extends AskedFiles {
  readonly component_code?: string | null;
  readonly component_id?: string | null;
  readonly component_url?: string | null;
  readonly key?: string | null;
}

/** A repeat is recognised by this, and not by the code: a key or a URL can lead to other code later. */
export type Asked =
  Program | { readonly componentId: string } | { readonly componentUrl: string } | { readonly registryKey: string };

const fields = ['component_code', 'component_id', 'component_url', 'files', 'key'] as const satisfies (keyof Fields)[];

const isGiven = (input: Fields, field: keyof Fields): boolean => (input[field] ?? null) !== null;

/**
 * Undefined: the request names no code. Throws ApiProblem if it names code in two ways; but a URL next to code only
 * states where the code is from, as with the hosted service.
 */
export function askedCode(input: Fields): Asked | undefined {
  const given = fields.filter((field) => isGiven(input, field));
  const [first, second] = given.filter((field) => field !== 'component_url' || !isGiven(input, 'component_code'));
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

/** Like `askedCode`, but the request must name code; `ways`: the fields with which it can. */
export function neededCode(input: Fields, ways: readonly (keyof Fields)[] = fields): Asked {
  const asked = askedCode(input);
  if (asked !== undefined) return asked;
  const either = `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`;
  throw problemsOf([{ field: 'component_code', message: `Give ${either}` }]);
}

/**
 * The program that a request names. Code is not fetched again for a repeated request: its program is empty, and
 * the command that follows is refused as repeated. Throws ApiProblem if there is no such component, or no code at the
 * URL.
 */
export async function askedProgram(
  parts: Parts<'secrets' | 'views' | 'commands' | 'ambient' | 'log'>,
  caller: Caller,
  asked: Asked,
  repeatable: Repeatable,
): Promise<Program> {
  if ('code' in asked) return asked;
  if ('componentUrl' in asked) return { code: await fetchCode(parts, caller, asked.componentUrl, repeatable) };
  const component =
    'registryKey' in asked
      ? await findPublished(parts, caller, asked.registryKey)
      : await findComponent(parts, caller, asked.componentId);
  if (component === undefined && 'registryKey' in asked)
    return { code: await findKey(parts, caller, asked.registryKey, repeatable) };
  if (component === undefined) throw notFound({ field: 'component_id', record: 'component' });
  return programOfView(await findCode(parts, caller, component));
}
