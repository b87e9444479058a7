// A step of the build: bundles each app and its dependencies into a few files, which load in half the time of a
// thousand.
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { checkRepaired, withRepairs } from './bundling/kafkajs.mjs';
import { withClassNames } from './bundling/class-names.mjs';
import { requiredHttp } from './bundling/required-http.mjs';
import { distDir } from './distributed/environment.mjs';
import { apps } from './distributed/scale.mjs';

const compiledDir = join(distDir, 'apps');
const outdir = join(distDir, 'run');

/** Packages that are not bundled, because of their binaries, or because they load files from their own folder. */
const unbundled = ['better-sqlite3', 'esbuild', 'pino'];

/**
 * Every file imports it first: an app's shared files, whose decorators need it, run before the app's own import of it.
 */
const decoratorMetadata = 'reflect-metadata';

/** Defines `require` for CommonJS packages, since ES modules have none. */
const requireForPackages = `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`;

/** Bundled as `dist/run/NAME.js`. */
const entryPoints = Object.fromEntries([
  ...[...apps, 'standalone'].map((app) => [app, join(compiledDir, app, 'main.js')]),
  ...['projection', 'standalone'].map((app) => [`${app}-rebuild`, join(compiledDir, app, 'rebuild.js')]),
  ['standalone-backup', join(compiledDir, 'standalone', 'backup.js')],
]);

/** Leaves optional packages that are not installed unresolved, as without a bundle. */
const missingPackages = {
  name: 'missing packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === missingPackages) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: missingPackages });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/**
 * Lets a module find the threads, processes and files next to its source. All outputs are in one folder, so one path
 * fits all.
 */
const withOwnUrl = (path, text) => {
  const url = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`;
  return text.replaceAll('import.meta.url', url);
};

/**
 * NestJS loads class-validator in a way that bundlers do not recognize. It is in the bundle: without this, each start
 * of a gateway would load its 300 files from the package a second time.
 */
const withBundledRequire = (path, text) =>
  path.includes('/@nestjs/mapped-types/') ? text.replace('const require = createRequire(import.meta.url);', '') : text;

const ownUrlsAndNames = {
  name: "a module's own URL and the names of its classes",
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = withClassNames(withOwnUrl(path, withBundledRequire(path, withRepairs(path, text))));
      return contents === text ? undefined : { contents };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints,
  outdir,
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'error',
  external: [decoratorMetadata, ...unbundled],
  banner: { js: `import '${decoratorMetadata}'; ${requireForPackages}` },
  plugins: [requiredHttp, missingPackages, ownUrlsAndNames],
});
checkRepaired();
