// Lets classes keep their names in the bundle of the apps when several have the same name.

/**
 * The line on which a class begins, as the compiler prints it: with a decorator `let X = class X {`, or
 * `let X = X_1 = class X {` when it refers to itself; a DTO can extend the result of a call such as
 * `IntersectionType(A, B)`.
 */
const beginning =
  /^[ \t]*(?:export )?(?:default )?(?:(?:let|var|const) \w+ = (?:\w+ = )*)?class (\w+)(?: extends [\w.]+(?:\([\w., ]*\))?)? \{$/gm;

/**
 * If two classes have the same name, the bundle renames one, and logs and the OpenAPI document would show the new name.
 * esbuild's own `keepNames` also names every function, each time one is made: half a microsecond for each closure.
 */
export const withClassNames = (text) =>
  text.replaceAll(
    beginning,
    (line, name) => `${line} static { Object.defineProperty(this, 'name', { value: '${name}', configurable: true }); }`,
  );
