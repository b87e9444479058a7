// Evaluates the deployed module once and keeps what it exports.
import { nativeAskedFor, require } from '../node/require.ts';
import { isArray } from '../core/primordials.ts';
import { errorText } from './invoke.ts';
import { isBag, setComponent } from './definition.ts';
import type { Bag } from './definition.ts';
import { manifestJson } from './manifest-json.ts';

/** The deployed source as CommonJS, in the host's function of `require, module, exports, __filename, __dirname`. */
export type ModuleFunction = (...args: readonly unknown[]) => void;

/** An ES module's default; CommonJS may call it `default` too. */
function definitionIn(exports: unknown): unknown {
  if (!isBag(exports)) return exports;
  const standard = exports['default'];
  return exports['__esModule'] === true || (isBag(standard) && exports['run'] === undefined) ? standard : exports;
}

function exported(load: ModuleFunction): Bag {
  const module: { exports: unknown } = { exports: {} };
  load(require, module, module.exports, '/component.js', '/');
  const definition = definitionIn(module.exports);
  // A function has a name and nothing else of a component: code for a step of a workflow is one.
  const isStep = typeof definition === 'function' && (definition as unknown as Bag)['run'] === undefined;
  if (!isBag(definition) || isArray(definition) || isStep) {
    throw new TypeError(
      'The module does not export a component object: use module.exports = {...} or export default {...}',
    );
  }
  return definition;
}

/** Answers with JSON: `{ error }`, or `{}`, or `{ manifest }` if `describe`. */
export function load(run: ModuleFunction, describe: boolean): string {
  try {
    const definition = exported(run);
    setComponent(definition);
    return describe ? `{"manifest":${manifestJson(definition)}}` : '{}';
  } catch (error) {
    const native = nativeAskedFor();
    // A package's own advice is for machines on which it can be installed anew.
    const note = native === undefined ? '' : `A component cannot load native code, and ${native} was asked for. `;
    return `{"error":${errorText(error, note)}}`;
  }
}
