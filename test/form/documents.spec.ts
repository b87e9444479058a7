import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSummary, readConfig } from '../../libs/engines/config/config.ts';
import { distributedSummary, readDistributedConfig } from '../../libs/engines/distributed/config.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'docs/topics.md',
  'deploy/kubernetes/README.md',
];

/** Variable and default of each row of a table in a section of the page. */
function settingsIn(section: string): Record<string, string> {
  const text =
    read('README.md')
      .split(/^## /m)
      .find((part) => part.startsWith(`${section}\n`)) ?? '';
  return Object.fromEntries(
    [...text.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|/gm)].map(([, name, value]) => [name, value]),
  );
}

test('the table in README names every setting with its default, and no other', () => {
  const defaults = configSummary(readConfig({}));
  const shown = settingsIn('Configuration');
  expect(Object.keys(shown)).toEqual(Object.keys(defaults));
  expect(shown).toMatchObject({ PORT: `\`${defaults.PORT}\``, HOST: `\`${defaults.HOST}\`` });
});

test('the table in README names every further setting of the distributed engine with its default, and no other', () => {
  const least = { KAFKA_BROKERS: 'kafka:9092', MONGODB_URL: 'mongodb://db', MASTER_KEY: '0'.repeat(64) };
  const config = readDistributedConfig(least);
  const defaults = distributedSummary(config);
  const further = Object.keys(defaults).filter((name) => !Object.hasOwn(configSummary(config), name));
  const shown = settingsIn('Distributed');
  expect(Object.keys(shown).sort()).toEqual(further.sort());
  expect(shown).toMatchObject({
    KAFKA_PARTITIONS: `\`${defaults.KAFKA_PARTITIONS}\``,
    KAFKA_REPLICATION_FACTOR: `\`${defaults.KAFKA_REPLICATION_FACTOR}\`; \`1\` on loopback`,
    KAFKA_SSL: `\`${defaults.KAFKA_SSL}\``,
  });
});

test.each(documents)('every command that %s names exists', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(([, script]) => script ?? '');
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test.each(documents)('every file that %s links to exists', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !existsSync(join(rootDir, dirname(path), link)))).toEqual([]);
});
