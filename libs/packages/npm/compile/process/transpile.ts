// Turns a component's one file, JavaScript or TypeScript, CommonJS or ES module, into CommonJS with a source map.
// Refuses imports that a component cannot have.
import { build, version } from 'esbuild';
import type { BuildFailure, Message, OnResolveArgs, OnResolveResult, OutputFile, Plugin } from 'esbuild';
import { isBuiltin } from 'node:module';
import type { ComponentError } from '../../../../domain/component/messages.ts';
import type { CompileResult } from '../compiled.ts';

/** A compiled text and its map together: five times the largest component. Indentation alone can square a size. */
const compiledBytesMax = 4 * 1024 * 1024;

const options = {
  outfile: 'component.js',
  bundle: true,
  write: false,
  format: 'cjs',
  platform: 'node',
  target: 'es2024',
  // An isolate has no import(): all that it may import can be required.
  supported: { 'dynamic-import': false },
  treeShaking: false,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  tsconfigRaw: {},
  logLevel: 'silent',
} as const;

/**
 * For components with AsyncLocalStorage: their continuations must be callbacks of promises, which the guest can bind to a
 * store. An await of V8 calls nothing that could be replaced.
 */
const withoutAwait = {
  ...options,
  supported: { ...options.supported, 'async-await': false, 'async-generator': false, 'for-await': false },
} as const;
const namesAsyncHooks = /\basync_hooks\b/;

/** Everything that changes the result for the same code. */
export const compilerEdition = `esbuild ${version} ${JSON.stringify([options, withoutAwait])}`;

const syntaxError = 'SyntaxError';

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
  if (!message) return { name: syntaxError, message: 'The component could not be read' };
  const name = message.pluginName === imports.name ? 'ImportError' : syntaxError;
  const { location, text } = message;
  if (!location) return { name, message: text };
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { name, message: text, line: location.line, column: before.length + 1 };
}

function resultOf(files: readonly OutputFile[]): CompileResult {
  const bytes = files.reduce((sum, { contents }) => sum + contents.byteLength, 0);
  if (bytes > compiledBytesMax) {
    const message = `Compiled, the component has ${bytes} bytes; at most ${compiledBytesMax} are taken: nest its blocks less deeply`;
    return { kind: 'refused', error: { name: 'CompileError', message } };
  }
  const text = (end: string): string => files.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { kind: 'compiled', compiled: { js: text('.js'), map: text('.map') } };
}

/**
 * Nothing says which language the code is in. Only what is not JavaScript is tried as TypeScript; if it is neither, the
 * error is that of the language that could be read further. Rejects when esbuild itself has ended.
 */
export async function transpile(code: string): Promise<CompileResult> {
  const script = await compileAs('js', code);
  if (script.kind === 'compiled' || script.error.name !== syntaxError) return script;
  const typed = await compileAs('ts', code);
  return typed.kind === 'compiled' || isFurther(typed.error, script.error) ? typed : script;
}

/** Without a syntax error the code was read to its end, which is furthest. */
function isFurther(one: ComponentError, other: ComponentError): boolean {
  if (one.name !== syntaxError) return true;
  const lines = (one.line ?? 0) - (other.line ?? 0);
  return lines > 0 || (lines === 0 && (one.column ?? 0) > (other.column ?? 0));
}

async function compileAs(loader: 'js' | 'ts', code: string): Promise<CompileResult> {
  const stdin = { contents: code, sourcefile: 'component.js', loader };
  try {
    const chosen = namesAsyncHooks.test(code) ? withoutAwait : options;
    return resultOf((await build({ ...chosen, stdin, plugins: [imports] })).outputFiles);
  } catch (failure) {
    const { errors } = failure as Partial<BuildFailure>;
    if (!errors) throw failure;
    return { kind: 'refused', error: errorOf(errors[0]) };
  }
}
