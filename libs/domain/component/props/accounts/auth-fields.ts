// Finds the fields of `$auth` that a component's code reads, by patterns in its text: an account of its app needs them.
import type { Manifest } from '../../manifest.ts';

/** The most names that are kept: a component with more uses several apps. */
const fieldsMax = 50;
const nameCharsMax = 100;
/** The longest text inside the braces of a pattern: a longer one is other code. */
const insideCharsMax = 500;

/** `$auth.x` and `$auth?.x`. */
const dotted = /\$auth\s{0,9}\??\.\s{0,9}([A-Za-z_][A-Za-z0-9_]*)/g;
/** `$auth["x"]`. */
const bracketed = /\$auth\s{0,9}(?:\?\.)?\[\s{0,9}(["'`])([A-Za-z0-9_.-]+)\1\s{0,9}\]/g;
/** `{ x, y: z } = this.$auth`. */
const destructured = new RegExp(
  String.raw`\{([^{}]{1,${insideCharsMax}})\}\s{0,9}=\s{0,9}[A-Za-z0-9_.$?]{0,99}\$auth\b`,
  'g',
);
/** `{ $auth: { x, y } } = this.app`. */
const nested = new RegExp(String.raw`\$auth\s{0,9}:\s{0,9}\{([^{}]{1,${insideCharsMax}})\}`, 'g');
const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype));

/** The names, sorted; undefined: the code never mentions `$auth`. Takes time linear in the code's length. */
export function authFieldsIn(code: string): readonly string[] | undefined {
  if (!/\$auth\b/.test(code)) return undefined;
  const names = new Set<string>();
  for (const [, name = ''] of code.matchAll(dotted)) names.add(name);
  for (const [, , name = ''] of code.matchAll(bracketed)) names.add(name);
  for (const pattern of [destructured, nested])
    for (const [, inside = ''] of code.matchAll(pattern)) for (const name of namesIn(inside)) names.add(name);
  return [...names]
    .filter((name) => name.length <= nameCharsMax && !inheritedNames.has(name))
    .toSorted()
    .slice(0, fieldsMax);
}

const namesIn = (pattern: string): readonly string[] =>
  pattern.split(',').flatMap((part) => /^\s{0,99}([A-Za-z_][A-Za-z0-9_]*)\s{0,99}(?:[:=]|$)/.exec(part)?.[1] ?? []);

/** The manifest with `authFields` from its code; unchanged if the component has no app props. */
export function withAuthFields(manifest: Manifest, code: string): Manifest {
  if (!manifest.props.some(({ type }) => type === 'app')) return manifest;
  const authFields = authFieldsIn(code);
  return authFields === undefined ? manifest : { ...manifest, authFields };
}
