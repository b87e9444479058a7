// The packages that the service itself provides to the bundler, with their files.
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
