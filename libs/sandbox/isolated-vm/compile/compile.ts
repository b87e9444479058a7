// Turns a component's one file, CommonJS or ES module, into CommonJS with a source map, and refuses what it cannot import.
import { build } from 'esbuild';
import type { BuildFailure, Message, OnResolveArgs, OnResolveResult, Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { isBuiltin } from 'node:module';
import type { ComponentError } from '../../../domain/component/messages.ts';
import type { Code } from '../protocol.ts';
import { BoundedCache } from './bounded-cache.ts';

export type Compilation =
  { readonly kind: 'compiled'; readonly compiled: Code } | { readonly kind: 'refused'; readonly error: ComponentError };

const refused = (text: string): OnResolveResult => ({ errors: [{ text }] });

function resolve({ path, kind }: OnResolveArgs): OnResolveResult | undefined {
  if (kind === 'entry-point') return undefined;
  if (isBuiltin(path)) return { path, external: true };
  if (path.startsWith('.') || path.startsWith('/')) {
    return refused(`A component is one file: it cannot import ${JSON.stringify(path)}`);
  }
  return refused(`Importing npm packages is not supported yet: ${JSON.stringify(path)}`);
}

const imports: Plugin = {
  name: 'imports',
  setup: ({ onResolve }) => onResolve({ filter: /.*/ }, resolve),
};

/** esbuild counts columns in bytes from 0, people in characters from 1. */
function errorOf(message: Message | undefined): ComponentError {
  if (!message) return { name: 'SyntaxError', message: 'The component could not be read' };
  const name = message.pluginName === imports.name ? 'ImportError' : 'SyntaxError';
  const { location, text } = message;
  if (!location) return { name, message: text };
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { name, message: text, line: location.line, column: before.length + 1 };
}

async function transpile(code: string): Promise<Compilation> {
  try {
    const { outputFiles } = await build({
      stdin: { contents: code, sourcefile: 'component.js', loader: 'js' },
      outfile: 'component.js',
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'es2024',
      // An isolate has no import(): what it may import at all can be required.
      supported: { 'dynamic-import': false },
      treeShaking: false,
      sourcemap: 'external',
      sourcesContent: false,
      legalComments: 'none',
      charset: 'utf8',
      tsconfigRaw: {},
      logLevel: 'silent',
      plugins: [imports],
    });
    const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
    return { kind: 'compiled', compiled: { js: text('.js'), map: text('.map') } };
  } catch (failure) {
    return { kind: 'refused', error: errorOf((failure as Partial<BuildFailure>).errors?.[0]) };
  }
}

/** Compiled texts of the components in use; the largest takes 2 MB with its map. */
const cachedUnitsMax = 64 * 1024 * 1024;

const keyOf = (code: string): string => createHash('sha256').update(code).digest('hex');

export class Compiler {
  readonly #cache = new BoundedCache<Promise<Compilation>>(cachedUnitsMax);

  compile(code: string): Promise<Compilation> {
    const key = keyOf(code);
    const known = this.#cache.get(key);
    if (known) return known;
    const making = transpile(code);
    // The texts are about as large as the code, and the map half as much.
    this.#cache.set(key, making, code.length * 3 + 1024);
    return making;
  }
}
