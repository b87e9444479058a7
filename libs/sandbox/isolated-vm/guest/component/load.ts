// Evaluates the deployed module once and keeps what it exports.
import { require } from '../node/require.ts';
import { jsonStringify } from '../core/primordials.ts';
import { errorText } from './invoke.ts';
import { isBag, setComponent } from './definition.ts';
import type { Bag } from './definition.ts';
import { manifest } from './manifest.ts';

/** The deployed source as CommonJS, wrapped by the host into a function of `require, module, exports, __filename, __dirname`. */
export type ModuleFunction = (...args: readonly unknown[]) => void;

function exported(load: ModuleFunction): Bag {
  const module: { exports: unknown } = { exports: {} };
  load(require, module, module.exports, '/component.js', '/');
  const all = module.exports;
  const standard = isBag(all) ? all['default'] : undefined;
  const definition =
    isBag(standard) && isBag(all) && (all['__esModule'] === true || all['run'] === undefined) ? standard : all;
  if (!isBag(definition) || Array.isArray(definition)) {
    throw new TypeError(
      'The module does not export a component object: use module.exports = {...} or export default {...}',
    );
  }
  return definition;
}

/** Answers with JSON: `{ error }`, or `{}`, or `{ manifest }` when that is asked for. */
export function load(run: ModuleFunction, describe: boolean): string {
  try {
    const definition = exported(run);
    setComponent(definition);
    return describe ? `{"manifest":${jsonStringify(manifest(definition))}}` : '{}';
  } catch (error) {
    return `{"error":${errorText(error)}}`;
  }
}
