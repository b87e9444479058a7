// What a program's imports name: `name`, `name@range`, `name@range/file`; and the dependencies that bring all of them.
import { createHash } from 'node:crypto';

export interface Specifier {
  readonly name: string;
  /** A range or a tag; undefined: the latest version. */
  readonly range: string | undefined;
  /** With its `./`, as the package's `exports` would name it; `.` for the package itself. */
  readonly subPath: string;
}

/** What stands in a package.json: npm's specs by the name under which a package stands in node_modules. */
export type Dependencies = Readonly<Record<string, string>>;

/** Of one program: far above what people import by hand. */
export const specifiersMax = 100;

const form = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^/:@]+))?(\/.*)?$/i;
/** As npm limits names. */
const nameUnitsMax = 214;

/** Undefined for what names no package of a registry: paths, URLs, `#internal`. */
export function parseSpecifier(text: string): Specifier | undefined {
  const [, name, range, rest = ''] = form.exec(text) ?? [];
  if (name === undefined || name.length > nameUnitsMax) return undefined;
  return { name, range: range?.trim(), subPath: `.${rest.replace(/\/$/, '')}` };
}

const latest = 'latest';
const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The dependency by which `specifier` is met, among those that there are. */
export function keyOf({ name, range = latest }: Specifier, dependencies: Dependencies): string | undefined {
  if (dependencies[name] === range) return name;
  const alias = aliasOf(name, range);
  return dependencies[alias] === undefined ? undefined : alias;
}

/** Under another name, two ranges of one package stand side by side. */
const aliasOf = (name: string, range: string): string => `${name}.${short(range)}`;

/**
 * `known` with what else is needed. Of several ranges of one package the first that is asked for has the package's own
 * name, under which other packages find it too.
 */
export function withSpecifiers(known: Dependencies, specifiers: readonly Specifier[]): Dependencies {
  const all: Record<string, string> = { ...known };
  const inOrder = specifiers.toSorted(
    (one, other) => Number(one.range !== undefined) - Number(other.range !== undefined),
  );
  for (const specifier of inOrder) {
    const { name, range = latest } = specifier;
    if (keyOf(specifier, all) !== undefined) continue;
    // Never as `constructor` and what else every object has: npm itself fails at these names.
    if (all[name] === undefined) all[name] = range;
    else all[aliasOf(name, range)] = `npm:${name}@${range}`;
  }
  return all;
}
