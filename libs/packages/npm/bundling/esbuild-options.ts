// esbuild's options: CommonJS for an isolate, with the author's names.
import { version } from 'esbuild';

export const options = {
  bundle: true,
  write: false,
  outfile: 'component.js',
  format: 'cjs',
  platform: 'node',
  target: 'es2024',
  // An isolate has no import(), but require for everything that it can import.
  supported: { 'dynamic-import': false },
  // As __filename and __dirname in CommonJS: packages look for files next to their own, and find none.
  define: {
    'import.meta.url': '"file:///component.js"',
    'import.meta.filename': '"/component.js"',
    'import.meta.dirname': '"/"',
  },
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  tsconfigRaw: {},
  logLevel: 'silent',
  // Reported because a package can load native code by such a call.
  logOverride: { 'unsupported-require-call': 'warning' },
  // Only the used parts of a module are bundled.
  treeShaking: true,
  metafile: true,
} as const;

/** Packages are minified, but keep their names, which some show in their errors. */
export const packageOptions = { minifyWhitespace: true, keepNames: true } as const;

const hasDefaultName = '__isWhole';
/** A function declaration is hoisted, so it can be at the end, where it moves neither directives nor the source map. */
export const footer = { js: `function ${hasDefaultName}(m){return m.__esModule&&"default"in m}` } as const;
const esbuildHelper = /(isNodeMode ?\|\| ?!mod ?\|\| ?)(!mod\.__esModule)/;

/**
 * The default import of a transpiled ES module is its default export. If it has none, it is all exports, as in Node;
 * esbuild's own helper would return undefined. The text keeps its length.
 */
export const withDefaults = (js: string): string =>
  js.replace(
    esbuildHelper,
    (_all, prefix: string, original: string) => prefix + `!${hasDefaultName}(mod)`.padEnd(original.length),
  );

const withoutAwait = { 'async-await': false, 'async-generator': false, 'for-await': false } as const;
const namesAsyncHooks = /\basync_hooks\b/;

/**
 * Compiles await away in programs with AsyncLocalStorage: their continuations must be callbacks of promises, which the
 * guest can bind to a store. V8's await calls no function that could be replaced.
 */
export const supportedIn = (texts: readonly string[]): Record<string, boolean> =>
  texts.some((text) => namesAsyncHooks.test(text)) ? { ...options.supported, ...withoutAwait } : options.supported;

/** Everything that changes the result for the same program and packages, except the packages that are provided. */
export const bundlerEdition = `esbuild ${version} ${JSON.stringify([options, withoutAwait, packageOptions])} 6`;
