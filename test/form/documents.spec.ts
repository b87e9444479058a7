import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSummary, readConfig } from '../../libs/engines/config/config.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md'];

test('the table in README names every setting with its default, and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|/gm)];
  const defaults = configSummary(readConfig({}));
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(defaults));
  const shown = Object.fromEntries(rows.map(([, name, value]) => [name, value]));
  expect(shown).toMatchObject({ PORT: `\`${defaults.PORT}\``, HOST: `\`${defaults.HOST}\`` });
});

test.each(documents)('every command that %s names exists', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/npm run ([a-z]+)/g)].map(([, script]) => script ?? '');
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test.each(documents)('every file that %s links to exists', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !existsSync(join(rootDir, dirname(path), link)))).toEqual([]);
});
