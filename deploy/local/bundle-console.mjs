// A step of the build: writes the console as static files, each also compressed, so that the gateway need not compress
// them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const consoleDir = join(rootDir, 'dist', 'console');
/** The highest quality takes seconds longer and saves one per cent. */
const brotliQuality = 9;

await build({ configFile: join(rootDir, 'apps', 'console', 'vite.config.ts'), logLevel: 'warn' });
for (const entry of readdirSync(consoleDir, { withFileTypes: true, recursive: true })) {
  if (!entry.isFile() || !/\.(js|css|svg|html)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${path}.gz`, gzipSync(content));
}
