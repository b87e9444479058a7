// Evaluates the deployed module once and keeps the component that it exports.
import { requestedNativeModule, require } from '../node/require.ts';
import { isArray } from '../core/primordials.ts';
import { errorText } from './invoke.ts';
import { isBag, setComponent } from './definition.ts';
import type { Bag } from './definition.ts';
import { manifestJson } from './manifest-json.ts';

/** The deployed source as CommonJS, in a function of `require, module, exports, __filename, __dirname`. */
export type ModuleFunction = (...args: readonly unknown[]) => void;

/** The default export of an ES module, or of CommonJS that sets `default` and has no `run`; otherwise all exports. */
function definitionIn(exports: unknown): unknown {
  if (!isBag(exports)) return exports;
  const defaultExport = exports['default'];
  return exports['__esModule'] === true || (isBag(defaultExport) && exports['run'] === undefined)
    ? defaultExport
    : exports;
}

function evaluateModule(load: ModuleFunction): Bag {
  const module: { exports: unknown } = { exports: {} };
  load(require, module, module.exports, '/component.js', '/');
  const definition = definitionIn(module.exports);
  // A function without `run` is no component, but probably code for a workflow step.
  const isStep = typeof definition === 'function' && (definition as unknown as Bag)['run'] === undefined;
  if (!isBag(definition) || isArray(definition) || isStep) {
    throw new TypeError(
      'The module does not export a component object: use module.exports = {...} or export default {...}',
    );
  }
  return definition;
}

/** Returns JSON: `{ error }`, or `{}`, or `{ manifest }` if `describe`. */
export function load(moduleFunction: ModuleFunction, describe: boolean): string {
  try {
    const definition = evaluateModule(moduleFunction);
    setComponent(definition);
    return describe ? `{"manifest":${manifestJson(definition)}}` : '{}';
  } catch (error) {
    const native = requestedNativeModule();
    // The note is needed because the package's own message advises to reinstall it, which does not help here.
    const note = native === undefined ? '' : `A component cannot load native code, and ${native} was asked for. `;
    return `{"error":${errorText(error, note)}}`;
  }
}
