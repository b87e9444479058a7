// Takes away the names that esbuild gives to functions which have them anyway: it would define them anew at every call of
// what makes the function, and a request makes dozens.
import ts from 'typescript';

const keeper = '__name';

/** Names of classes stay as they are written, and those of declarations that the bundle had to rename. */
export function withNaturalNames(text) {
  const source = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const cuts = [];
  const visit = (node) => {
    if (isKept(node)) cuts.push(...cutsOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return without(text, cuts);
}

const isKept = (node) =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === keeper;

/** `const f = __name(() => 1, "f")` becomes `const f = (() => 1)`, and `__name(f, "f");` becomes `;`. */
function cutsOf(call, source) {
  const [made, name] = call.arguments;
  if (ts.isArrowFunction(made) || ts.isFunctionExpression(made)) {
    const at = call.expression.getStart(source);
    return [
      { from: at, to: at + keeper.length },
      { from: made.end, to: name.end },
    ];
  }
  return ts.isIdentifier(made) && made.text === name.text
    ? [{ from: call.expression.getStart(source), to: call.end }]
    : [];
}

function without(text, cuts) {
  const parts = [];
  let at = 0;
  for (const { from, to } of cuts.sort((a, b) => a.from - b.from)) {
    parts.push(text.slice(at, from));
    at = to;
  }
  return [...parts, text.slice(at)].join('');
}
