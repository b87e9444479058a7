// Parses the packages in imports: `name`, `name@range`, `name@range/file`; and makes the dependencies for all of them.
import { createHash } from 'node:crypto';

export interface Specifier {
  readonly name: string;
  /** A range or a tag; undefined: the latest version. */
  readonly range: string | undefined;
  /** With `./`, as in a package's `exports`; `.` for the package itself. */
  readonly subPath: string;
}

/** As in a package.json: npm's specs by the name under which a package is installed in node_modules. */
export type Dependencies = Readonly<Record<string, string>>;

/** Limit for one program: many more than people import by hand. */
export const specifiersMax = 100;

const form = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^/:@]+))?(\/.*)?$/i;
/** npm's limit of names. */
const nameUnitsMax = 214;

/** Undefined for a text that is no package of a registry: a path, a URL, `#internal`. */
export function parseSpecifier(text: string): Specifier | undefined {
  const [, name, range, rest = ''] = form.exec(text) ?? [];
  if (name === undefined || name.length > nameUnitsMax) return undefined;
  return { name, range: range?.trim(), subPath: `.${rest.replace(/\/$/, '')}` };
}

const latest = 'latest';
const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The name of the dependency that `specifier` resolves to; undefined: there is none. */
export function keyOf({ name, range = latest }: Specifier, dependencies: Dependencies): string | undefined {
  if (dependencies[name] === range) return name;
  const alias = aliasOf(name, range);
  return dependencies[alias] === undefined ? undefined : alias;
}

/** The alias under which a further range of a package is installed next to the first. */
const aliasOf = (name: string, range: string): string => `${name}.${short(range)}`;

/**
 * `known` plus the missing dependencies. The first range of a package has the package's own name, under which other
 * packages find it too.
 */
export function withSpecifiers(known: Dependencies, specifiers: readonly Specifier[]): Dependencies {
  const all: Record<string, string> = { ...known };
  const inOrder = specifiers.toSorted(
    (one, other) => Number(one.range !== undefined) - Number(other.range !== undefined),
  );
  for (const specifier of inOrder) {
    const { name, range = latest } = specifier;
    if (keyOf(specifier, all) !== undefined) continue;
    // Never `constructor` and other names that every object has, because npm itself fails at these.
    if (all[name] === undefined) all[name] = range;
    else all[aliasOf(name, range)] = `npm:${name}@${range}`;
  }
  return all;
}
