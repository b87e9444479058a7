// What the bundle of the apps does so that a class keeps its name beside another one of that name.

/**
 * The line on which a class begins, as the compiler prints it: with a decorator `let X = class X {`, or
 * `let X = X_1 = class X {` when it names itself; a DTO may extend what a call such as `IntersectionType(A, B)` gives.
 */
const beginning =
  /^[ \t]*(?:export )?(?:default )?(?:(?:let|var|const) \w+ = (?:\w+ = )*)?class (\w+)(?: extends [\w.]+(?:\([\w., ]*\))?)? \{$/gm;

/**
 * Of two classes with one name, the bundle renames one; logs and the OpenAPI document show the name that it was given.
 * esbuild's own `keepNames` names every function too, each time one is made: half a microsecond for each closure.
 */
export const withClassNames = (text) =>
  text.replaceAll(
    beginning,
    (line, name) => `${line} static { Object.defineProperty(this, 'name', { value: '${name}', configurable: true }); }`,
  );
