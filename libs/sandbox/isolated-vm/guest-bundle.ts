// The guest as one script: bundled by esbuild at build time, or on demand when the product runs from its sources.
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const runsFromSource = import.meta.url.endsWith('.ts');
const require = createRequire(import.meta.url);

/** Where the guest's TypeScript is; in `dist` it has not been compiled, so it is taken from the sources beside. */
const guestDir = runsFromSource ? join(here, 'guest') : join(here, '../../../../libs/sandbox/isolated-vm/guest');

/** Written beside this file by the build. */
export const builtBundlePath = join(here, 'guest.bundle.js');

const packageFile = (path: string): string => require.resolve(path);

function options(): BuildOptions {
  return {
    entryPoints: [join(guestDir, 'main.ts')],
    tsconfigRaw: {},
    bundle: true,
    write: false,
    format: 'iife',
    // Strict code has no `caller`: functions do not expose themselves and their arguments to those that they call.
    banner: { js: '"use strict";' },
    platform: 'browser',
    target: 'es2024',
    legalComments: 'none',
    logLevel: 'silent',
    // Names are kept: error classes and functions show theirs.
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.NODE_DEBUG': '""' },
    alias: {
      'buffer/index.js': packageFile('buffer/index.js'),
      buffer: join(guestDir, 'encoding/buffer.ts'),
      'safe-buffer': join(guestDir, 'encoding/buffer.ts'),
      process: join(guestDir, 'node/process.ts'),
      // Node's own url.parse reads queries with querystring.
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
  const { outputFiles } = await build(options());
  const text = outputFiles?.[0]?.text;
  if (!text) throw new Error('esbuild gave no guest bundle');
  return text;
}
