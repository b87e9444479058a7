import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { uniqueIdsMax } from '../../libs/domain/channel/dedupe.ts';
import { openMax } from '../../libs/domain/delivery/cursor.ts';
import { sizes } from '../../libs/domain/sizes.ts';
import { configSummary, readConfig } from '../../libs/engines/config.ts';
import { defaultLimits as sandboxLimits } from '../../libs/sandbox/isolated-vm/limits.ts';
import { runtimeLimits } from '../../libs/stages/runtime/limits.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8');
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md'],
  ...['docs/api.md', 'docs/components.md'],
];

test('the table in README names every setting with its default, and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|/gm)];
  const defaults = configSummary(readConfig({}));
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(defaults));
  const shown = Object.fromEntries(rows.map(([, name, value]) => [name, value]));
  expect(shown).toMatchObject({ PORT: `\`${defaults.PORT}\``, HOST: `\`${defaults.HOST}\`` });
});

const kibibytes = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${(bytes / 1024).toLocaleString('en')} KiB`;
const seconds = (ms: number): string => `${ms / 1000} s`;

test('the limits in the API guide are those of the product, and no other', () => {
  const { guest, ...sandbox } = sandboxLimits;
  const limits = [
    ...[sizes.restBodyBytes, sizes.endpointBodyBytes, sizes.codeBytes, sizes.propValueBytes].map(kibibytes),
    ...[kibibytes(guest.emitBytes), kibibytes(guest.emittedBytesMax), guest.emitsMax],
    ...[guest.consoleBytes, guest.dbValueBytes, guest.dbBytes].map(kibibytes),
    ...[guest.dbWritesMax, uniqueIdsMax],
    ...[sandbox.runWallMs, sandbox.hookWallMs, sandbox.cpuMs, sandbox.sliceMs, sandbox.loadMs].map(seconds),
    ...[`${sandbox.memoryMb} MiB`, runtimeLimits.queueFullAt, openMax],
    ...[sizes.answerKeptBytes, sizes.answerReadBytes].map(kibibytes),
  ].map((limit) => limit.toLocaleString('en'));
  const section = read('docs/api.md').split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
  const shown = [...section.matchAll(/^\| (?!what|---)[^|]+ \| (.+?) +\|$/gm)].map(([, limit]) => limit);
  expect(shown).toEqual(limits);
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
