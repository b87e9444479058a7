// What no JSON from outside may hold, wherever it stands: names that reach prototypes, NUL, broken text, endless nesting.
import { jsonDepthMax } from '../../../../domain/json.ts';

const refusedNames: ReadonlySet<string> = new Set(['__proto__']);

interface Visit {
  readonly value: unknown;
  readonly depth: number;
}

/** The first thing that is wrong, in words, or undefined. */
export function findJsonFault(root: unknown): string | undefined {
  const open: Visit[] = [{ value: root, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const fault = faultOf(visit) ?? expand(visit, open);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf({ value, depth }: Visit): string | undefined {
  if (depth > jsonDepthMax) return `nested deeper than ${jsonDepthMax} levels`;
  return typeof value === 'string' ? textFault(value) : undefined;
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'a text holds the character NUL';
  return text.isWellFormed() ? undefined : 'a text is not well-formed Unicode';
}

function expand({ value, depth }: Visit, open: Visit[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (refusedNames.has(name)) return `the name ${name} is not allowed`;
    const fault = textFault(name);
    if (fault !== undefined) return fault;
    open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}
