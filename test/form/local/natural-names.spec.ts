// Bundles leave functions the names that they have, and keep those of classes.
const file = new URL('../../../deploy/local/natural-names.mjs', import.meta.url).href;
const { withNaturalNames } = (await import(file)) as { withNaturalNames(text: string): string };

/** As esbuild has it, with a count of the calls. */
const keeper = `
let calls = 0;
const __name = (target, value) => (calls++, Object.defineProperty(target, 'name', { value, configurable: true }));
`;
const bundle = `
const arrow = /* @__PURE__ */ __name((x) => {
  const inner = /* @__PURE__ */ __name(async () => x, "inner");
  function declared() { return [inner.name, declared.name]; }
  __name(declared, "declared");
  return declared();
}, "arrow");
const expression = /* @__PURE__ */ __name(function () { return ", \\"no\\")"; }, "expression");
function renamed2() {}
__name(renamed2, "renamed");
class Kept2 { static { __name(this, "Kept"); } }
let Decorated = /* @__PURE__ */ __name(class {}, "Decorated");
const names = [arrow.name, ...arrow(1), expression.name, expression(), renamed2.name, Kept2.name, Decorated.name];
return { names, calls };
`;

const run = (text: string): unknown => (new Function(text) as () => unknown)();

test('every name is what it was, and only classes and what was renamed are named by a call', () => {
  const names = ['arrow', 'inner', 'declared', 'expression', ', "no")', 'renamed', 'Kept', 'Decorated'];
  expect(run(keeper + bundle)).toEqual({ names, calls: 7 });
  expect(run(keeper + withNaturalNames(bundle))).toEqual({ names, calls: 3 });
});
