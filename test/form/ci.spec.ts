import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../.ci/run', import.meta.url));

/** Exits from each step with the status that the environment gives. */
const npm = `#!/bin/sh
case "$*" in
  'run -s build') exit "$BUILD" ;;
  'run -s static') exit "$FORM" ;;
  'test -s') printf "$SUMMARY"; exit "$TESTS" ;;
esac
exit 9
`;
const well = { BUILD: '0', FORM: '0', TESTS: '0', SUMMARY: '12 passed, 0 failed\n' };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ci-'));
  mkdirSync(join(dir, '.ci'));
  copyFileSync(command, join(dir, '.ci', 'run'));
  // Every tool is present, so nothing is installed; this apt-get is for when `run` needs another tool.
  for (const name of ['kcat', 'java', 'mvn', 'chromium', 'zsh', 'fish', 'mongod', 'apt-get'])
    writeFileSync(join(dir, name), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(dir, 'npm'), npm, { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true }));

test.each([
  ['everything succeeds', {}, [], '12 passed, 0 failed'],
  ['the form check fails', { FORM: '2' }, ['The form check failed: see above'], '12 passed, 1 failed'],
  ['tests fail', { TESTS: '1', SUMMARY: '9 passed, 3 failed\n' }, [], '9 passed, 3 failed'],
  [
    'both fail',
    { FORM: '1', TESTS: '1', SUMMARY: '9 passed, 3 failed\n' },
    ['The form check failed: see above'],
    '9 passed, 4 failed',
  ],
  [
    'something is skipped',
    { TESTS: '1', SUMMARY: '2 skipped\n9 passed, 2 failed\n' },
    ['2 skipped'],
    '9 passed, 2 failed',
  ],
  ['the build fails', { BUILD: '1' }, [], '0 passed, 1 failed'],
  ['the tests die', { TESTS: '137', SUMMARY: '' }, ['The tests ended without totals'], '0 passed, 1 failed'],
  ['the tests fail but their totals do not say so', { TESTS: '1' }, [], '12 passed, 1 failed'],
])('.ci/run ends with the duration and the totals when %s', (_, how, told, totals) => {
  const env = { ...well, ...how, PATH: `${dir}:${process.env['PATH']}` };
  const { status, stdout } = spawnSync('bash', [join(dir, '.ci', 'run')], { env, encoding: 'utf8' });
  expect(stdout.split('\n')).toEqual([...told, expect.stringMatching(/^Took \d+ min \d+ s$/), totals, '']);
  expect(status).toBe(totals.endsWith(', 0 failed') ? 0 : 1);
});
