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
    'which responses of a webhook mean success',
    /\bisSuccess = /,
    /^libs\/(domain|stages|webhooks)\//,
    'libs/domain/delivery/retry.ts',
  ],
  [
    'the id that stands for every source',
    /'dc_\*'/,
    /^libs\/(domain|stages|log|view-store)\//,
    'libs/domain/delivery/matching.ts',
  ],
  ['the id that stands for every source in a request', /dc_\\\*/, /^libs\//, 'libs/stages/gateway/http/input/ids.ts'],
  ['the partition of a source', /\bhash ?= 0x811c9dc5/, /^libs\//, 'libs/domain/flow.ts'],
  ['the maximum length of the texts of an error', /\berrorCharsMax =/, /^libs\//, 'libs/domain/sizes.ts'],
] as const)('%s is defined in exactly one file', (_what, statement, where, path) => {
  const stating = sources.filter(
    (file) => where.test(file) && statement.test(readFileSync(join(rootDir, file), 'utf8')),
  );
  expect(stating).toEqual([path]);
});
