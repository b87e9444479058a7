// Named imports that a builtin module does not have. Bundled, they would be undefined; in Node the module does not load.
import { build } from 'esbuild';
import type { BuildFailure, Loader, Message, Plugin } from 'esbuild';
import { availableBuiltins } from '../../../../domain/component/modules/builtins.ts';

const ofBuiltin = 'builtin';
/** Those that Node had when many components were written, and that components still have. */
const formerNames: Readonly<Record<string, readonly string[]>> = {
  util: 'isBoolean isBuffer isDate isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined log'.split(
    ' ',
  ),
};

const bare = (name: string): string => name.replace(/^node:/, '');

/** Of the others any name is a function that says why it is not available. */
export const hasNames = (specifier: string): boolean =>
  (availableBuiltins as readonly string[]).includes(bare(specifier));

/** Node's own names: what it has and components lack is undefined, as packages that import it in passing expect. */
function textOf(specifier: string): string {
  const own = Object.keys(process.getBuiltinModule(specifier) ?? {});
  const names = new Set(['default', ...own, ...(formerNames[bare(specifier)] ?? [])]);
  return `const it = 0; export { ${[...names].map((name) => `it as ${JSON.stringify(name)}`).join(', ')} };`;
}

const plugin: Plugin = {
  name: 'builtin names',
  setup(made) {
    made.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'import-statement' && hasNames(path) ? { path, namespace: ofBuiltin } : { path, external: true },
    );
    made.onLoad({ filter: /.*/, namespace: ofBuiltin }, ({ path }) => ({ contents: textOf(path), loader: 'js' }));
  },
};

/** What esbuild says of the first such import of a file, which it names `sourcefile`; undefined: there is none. */
export async function unknownName(text: string, loader: Loader, sourcefile: string): Promise<Message | undefined> {
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
    return errors.find(({ text: said }) => said.startsWith('No matching export'));
  }
}
