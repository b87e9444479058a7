// How esbuild bundles: CommonJS that an isolate loads, with the names that the author gave.
import { version } from 'esbuild';

export const options = {
  bundle: true,
  write: false,
  outfile: 'component.js',
  format: 'cjs',
  platform: 'node',
  target: 'es2024',
  // An isolate has no import(): all that it may import can be required.
  supported: { 'dynamic-import': false },
  // What __filename and __dirname are to CommonJS: packages look for files beside their own, and find none.
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
  // By such a call a package may load native code.
  logOverride: { 'unsupported-require-call': 'warning' },
  // Of a module only what is used is taken.
  treeShaking: true,
  metafile: true,
} as const;

/** Packages are not read by people; the names in them are kept, which some show in their errors. */
export const forPackages = { minifyWhitespace: true, keepNames: true } as const;

const isWhole = '__isWhole';
/** A function is there before its place: neither directives nor the source map are moved. */
export const footer = { js: `function ${isWhole}(m){return m.__esModule&&"default"in m}` } as const;
const helper = /(isNodeMode ?\|\| ?!mod ?\|\| ?)(!mod\.__esModule)/;

/**
 * The default import of what a transpiler has made of an ES module is its default export. Where it has none, that is all
 * of it, as in Node: esbuild's helper gives nothing then. The text stays as long as it was.
 */
export const withDefaults = (js: string): string =>
  js.replace(helper, (_all, before: string, asked: string) => before + `!${isWhole}(mod)`.padEnd(asked.length));

const withoutAwait = { 'async-await': false, 'async-generator': false, 'for-await': false } as const;
const namesAsyncHooks = /\basync_hooks\b/;

/**
 * For programs with AsyncLocalStorage: their continuations must be callbacks of promises, which the guest can bind to a
 * store. An await of V8 calls nothing that could be replaced.
 */
export const supportedIn = (texts: readonly string[]): Record<string, boolean> =>
  texts.some((text) => namesAsyncHooks.test(text)) ? { ...options.supported, ...withoutAwait } : options.supported;

/** Everything that changes the result for the same program and packages. */
export const bundlerEdition = `esbuild ${version} ${JSON.stringify([options, withoutAwait, forPackages])} 6`;
