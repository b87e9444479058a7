// Bundles the guest to one script by esbuild, at build time or, if the product runs from its sources, on demand.
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const adapterDir = dirname(fileURLToPath(import.meta.url));
export const runsFromSource = import.meta.url.endsWith('.ts');
const require = createRequire(import.meta.url);

/** The folder of the guest's TypeScript; `dist` has no compiled guest, so there the neighbouring sources are used. */
const guestDir = runsFromSource
  ? join(adapterDir, 'guest')
  : join(adapterDir, '../../../../libs/sandbox/isolated-vm/guest');

/** Written next to this file by the build. */
export const builtBundlePath = join(adapterDir, 'guest.bundle.js');

const packageFile = (path: string): string => require.resolve(path);

function buildOptions(): BuildOptions {
  return {
    entryPoints: [join(guestDir, 'main.ts')],
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'iife',
    // Strict code has no `caller`, so functions do not expose themselves and their arguments to those that they call.
    banner: { js: '"use strict";' },
    platform: 'browser',
    target: 'es2024',
    legalComments: 'none',
    logLevel: 'silent',
    // Names are kept, because error classes and functions show theirs.
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.NODE_DEBUG': '""' },
    alias: {
      'buffer/index.js': packageFile('buffer/index.js'),
      buffer: join(guestDir, 'encoding/buffer.ts'),
      'safe-buffer': join(guestDir, 'encoding/buffer.ts'),
      process: join(guestDir, 'node/process.ts'),
      // As in Node, url.parse parses queries by querystring.
      qs: join(guestDir, 'web/url/qs.ts'),
      punycode: packageFile('punycode/punycode.js'),
      'punycode/punycode.js': packageFile('punycode/punycode.js'),
      tr46: join(guestDir, 'web/idna.ts'),
      '@exodus/bytes/encoding.js': join(guestDir, 'web/nothing.ts'),
      '@exodus/bytes/whatwg.js': join(guestDir, 'web/percent-encoding.ts'),
      'abort-controller': join(guestDir, 'web/event-target.ts'),
    },
  };
}

export async function bundleGuest(): Promise<string> {
  const { outputFiles } = await build(buildOptions());
  const text = outputFiles?.[0]?.text;
  if (!text) throw new Error('esbuild gave no guest bundle');
  return text;
}
