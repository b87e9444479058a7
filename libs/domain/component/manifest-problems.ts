// Checks that a described component can be a source, beyond the checks at loading.
import type { Json } from '../json.ts';
import type { Manifest, PropDefinition } from './manifest.ts';
import { isApphook, readEventNames } from './props/apphook/apphook.ts';
import { propTypeOf, unknownType } from './props/prop-types.ts';

/** Whole sentences; empty when nothing is wrong. */
export function manifestProblems({ type, name, props }: Manifest): readonly string[] {
  const problems: string[] = [];
  if (type !== 'source') problems.push(`The component is of type ${type}; only sources can be deployed.`);
  if (name.trim() === '') problems.push('The component has an empty name.');
  const seen = new Set<string>();
  for (const prop of props) {
    const problem = propProblem(prop, seen);
    if (problem !== undefined) problems.push(`Prop ${JSON.stringify(prop.name)} ${problem}.`);
    seen.add(prop.name);
  }
  const [, secondTimer] = props.filter(({ type: propType }) => propType === '$.interface.timer');
  if (secondTimer !== undefined)
    problems.push(`Prop ${JSON.stringify(secondTimer.name)} is a second timer; a source has one at most.`);
  const [, secondApphook] = props.filter(isApphook);
  if (secondApphook !== undefined)
    problems.push(`Prop ${JSON.stringify(secondApphook.name)} is a second apphook; a source has one at most.`);
  return problems;
}

function propProblem(
  { name, type, secret, optional, eventNames }: PropDefinition,
  seen: ReadonlySet<string>,
): string | undefined {
  if (name === '') return 'has an empty name';
  if (name.startsWith('$')) return 'begins with $, which is for the service itself';
  if (name === '__proto__') return 'has a name that JavaScript keeps for itself';
  if (seen.has(name)) return 'is declared twice';
  if (propTypeOf(type) === undefined || (type === 'dir' && optional !== true))
    return `has the type ${type}, ${unknownType(type)}`;
  if (secret === true && type !== 'string') return `is secret, which only a string can be, not ${type}`;
  const names = type === '$.interface.apphook' ? readEventNames((eventNames ?? null) as Json) : { names: null };
  return 'problem' in names ? `has eventNames, which ${names.problem}` : undefined;
}
