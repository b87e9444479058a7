// Makes docs/topics.md and docs/asyncapi.yaml from flow.ts and the messages' types; `npm run topics` writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { stringify } from 'yaml';
import { asyncApi } from './topics/asyncapi.ts';
import { readCatalog } from './topics/catalog.ts';
import { topicsPage } from './topics/topics-page.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The documents by path from the root, formatted by prettier. */
export async function topicDocuments(): Promise<ReadonlyMap<string, string>> {
  const catalog = readCatalog();
  const { version, prettier: style } = JSON.parse(read('package.json')) as { version: string; prettier: object };
  const yaml = stringify(asyncApi(catalog, version), { aliasDuplicateObjects: false, lineWidth: 0 });
  return new Map([
    ['docs/topics.md', await prettier.format(topicsPage(catalog), { ...style, parser: 'markdown' })],
    [
      'docs/asyncapi.yaml',
      await prettier.format(`# Made by \`npm run topics\`.\n${yaml}`, { ...style, parser: 'yaml' }),
    ],
  ]);
}

/** The document in the working tree. */
export const committedDocument = read;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of await topicDocuments()) writeFileSync(new URL(path, root), text);
}
