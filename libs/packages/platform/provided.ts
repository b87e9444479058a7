// The packages that the service itself provides to the bundler, with their files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = (name: string): string => join(here, `${name}.${extension}`);

/** The file to bundle, by the name that components import, in any version. */
export const providedEntries: Readonly<Record<string, string>> = {
  '@pipedream/platform': entry('platform'),
  // Its first name.
  '@pipedreamhq/platform': entry('platform'),
  '@pipedream/types': entry('types'),
  // The original opens sockets, which an isolate does not have.
  undici: entry('undici/undici'),
};

/** Changes with the service's own text of these packages, which becomes a part of each bundle. */
export function providedDigest(folder: string = here): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith(`.${extension}`)).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}
