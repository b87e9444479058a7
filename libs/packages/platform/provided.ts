// The packages that the service provides itself, for the bundler: what stands where.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const entry = (name: string): string => join(here, `${name}.${extension}`);

/** By the name that components import, whatever version they ask for: the file to bundle. */
export const providedEntries: Readonly<Record<string, string>> = {
  '@pipedream/platform': entry('platform'),
  // As it was called at first.
  '@pipedreamhq/platform': entry('platform'),
  '@pipedream/types': entry('types'),
  // Its own opens sockets, which an isolate has none of.
  undici: entry('undici/undici'),
};
