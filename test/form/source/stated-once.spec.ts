import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'libs'], {
  cwd: rootDir,
  encoding: 'utf8',
});
const sources = tracked
  .split('\n')
  .filter(
    (path) => path.endsWith('.ts') && !/\.(spec|contract|fake)\.ts$/.test(path) && existsSync(join(rootDir, path)),
  );

test.each([
  [
    'which answers of a webhook are a success',
    /\bisSuccess = /,
    /^libs\/(domain|stages|webhooks)\//,
    'libs/domain/delivery/retry.ts',
  ],
  [
    'the name of every source',
    /'dc_\*'/,
    /^libs\/(domain|stages|log|view-store)\//,
    'libs/domain/delivery/matching.ts',
  ],
  ['how a request names every source', /dc_\\\*/, /^libs\//, 'libs/stages/gateway/http/input/ids.ts'],
  ['which partition a source has', /\bhash ?= 0x811c9dc5/, /^libs\//, 'libs/domain/flow.ts'],
  ['how long the texts of an error may be', /\berrorCharsMax =/, /^libs\//, 'libs/domain/sizes.ts'],
] as const)('%s is stated in one place', (_what, statement, where, path) => {
  const stating = sources.filter(
    (file) => where.test(file) && statement.test(readFileSync(join(rootDir, file), 'utf8')),
  );
  expect(stating).toEqual([path]);
});
