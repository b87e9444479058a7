// Finds named imports that a builtin lacks: in Node the module would not load, but bundled they would be undefined.
import { build } from 'esbuild';
import type { BuildFailure, Loader, Message, Plugin } from 'esbuild';
import { availableBuiltins } from '../../../../domain/component/modules/builtins.ts';

const builtinNamespace = 'builtin';
/** Names that Node had when many components were written, and that components still have. */
const formerNames: Readonly<Record<string, readonly string[]>> = {
  util: 'isBoolean isBuffer isDate isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined log'.split(
    ' ',
  ),
};

const bareName = (name: string): string => name.replace(/^node:/, '');

/** Whether components have this builtin; in stand-ins for others, every name is a function that throws the reason. */
export const isAvailableBuiltin = (specifier: string): boolean =>
  (availableBuiltins as readonly string[]).includes(bareName(specifier));

/** A module with Node's own names; those that components lack are undefined, as packages with unused imports expect. */
function textOf(specifier: string): string {
  const own = Object.keys(process.getBuiltinModule(specifier) ?? {});
  const names = new Set(['default', ...own, ...(formerNames[bareName(specifier)] ?? [])]);
  return `const it = 0; export { ${[...names].map((name) => `it as ${JSON.stringify(name)}`).join(', ')} };`;
}

const plugin: Plugin = {
  name: 'builtin names',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'import-statement' && isAvailableBuiltin(path)
        ? { path, namespace: builtinNamespace }
        : { path, external: true },
    );
    pluginBuild.onLoad({ filter: /.*/, namespace: builtinNamespace }, ({ path }) => ({
      contents: textOf(path),
      loader: 'js',
    }));
  },
};

/** esbuild's message about the first such import of a file, which it calls `sourcefile`; undefined: there is none. */
export async function findUnknownName(text: string, loader: Loader, sourcefile: string): Promise<Message | undefined> {
  const stdin = { contents: text, loader, sourcefile };
  try {
    await build({
      stdin,
      bundle: true,
      write: false,
      format: 'esm',
      plugins: [plugin],
      tsconfigRaw: {},
      logLevel: 'silent',
    });
    return undefined;
  } catch (failure) {
    const { errors = [] } = failure as Partial<BuildFailure>;
    return errors.find(({ text: message }) => message.startsWith('No matching export'));
  }
}
