// The code that a request means, in whichever way it says so.
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { notFound } from '../../rim/api-problem.ts';
import { problemsOf } from '../../rim/input/field-problem.ts';
import { findComponent, findCode } from './find-component.ts';

export interface Asked {
  readonly component_code?: string | null;
  readonly component_id?: string | null;
}

export interface Code {
  readonly code: string;
  /** What was asked for in place of the code, which tells a repeat: by a key, other code may come of it later. */
  readonly from?: { readonly componentId: string };
}

const fields = ['component_code', 'component_id'] as const satisfies (keyof Asked)[];
const either = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;

/** Undefined: it says none. Throws ApiProblem: it says it in two ways, or means what is not there. */
export async function codeOf(gateway: Gateway, caller: Caller, asked: Asked): Promise<Code | undefined> {
  const [first, second] = fields.filter((field) => (asked[field] ?? null) !== null);
  if (second !== undefined)
    throw problemsOf([{ field: second, message: `Give one of ${either}, not both ${first} and ${second}` }]);
  const { component_code: code, component_id: componentId } = asked;
  if (typeof code === 'string') return { code };
  return typeof componentId === 'string' ? bySaved(gateway, caller, componentId) : undefined;
}

export const codeMissing = (): Error => problemsOf([{ field: 'component_code', message: `Give ${either}` }]);

async function bySaved(gateway: Gateway, caller: Caller, componentId: string): Promise<Code> {
  const component = await findComponent(gateway, caller, componentId);
  if (component === undefined) throw notFound({ component_id: componentId });
  const { code } = await findCode(gateway, caller, component);
  return { code, from: { componentId } };
}
