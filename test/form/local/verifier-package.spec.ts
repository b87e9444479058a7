// An auditor installs only the verifier, from its tarball, and checks an export with it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeKey, FakePartition, honestExport } from '../../../libs/verifier/export/honest-export.fake.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
const key = fakeKey();
const noon = 1_700_000_000_000;
/** The compiler and npm take ten seconds together, on a busy machine several times that. */
const slowMs = 120_000;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'verifier-'));
  execFileSync(process.execPath, ['deploy/local/verifier-package.mjs'], { cwd: rootDir });
  const pack = ['pack', './dist/verifier', '--silent', '--pack-destination', dir];
  const tarball = execFileSync('npm', pack, { cwd: rootDir, encoding: 'utf8' }).trim();
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], {
    cwd: dir,
  });
}, slowMs);
afterAll(() => rmSync(dir, { recursive: true }));

/** What a program like that in its README finds in an export. */
function findingsOf(lines: readonly string[]): unknown {
  writeFileSync(join(dir, 'export.ndjson'), lines.map((line) => `${line}\n`).join(''));
  const program = `
    import { createReadStream } from 'node:fs';
    import { verifyExport } from 'wellspring-verifier';
    const report = await verifyExport(createReadStream('export.ndjson'), { keys: ['${key.publicKey}'] });
    console.log(JSON.stringify([report.isWhole, report.findings.map(({ kind, id }) => [kind, id])]));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: dir, encoding: 'utf8' });
  return JSON.parse(out);
}

test('the package has no dependencies and finds a changed record', () => {
  const partition = new FakePartition({ topic: 'channels', partition: 0 });
  for (const n of [0, 1, 2])
    partition.records.push({ id: `rec_${n}`, time: noon + n, workspace: 'o_own', data: { amount: 100 + n } });
  partition.sign(noon + 10, [key]);
  const asked = { workspace: 'o_own', from: noon, to: noon + 1_000, at: noon + 2_000, keys: [key] };
  const lines = honestExport([partition], asked);
  expect(findingsOf(lines)).toEqual([true, []]);
  const changed = lines.map((line) => line.replace('"amount":101', '"amount":901'));
  expect(findingsOf(changed)).toEqual([false, expect.arrayContaining([['changed', 'rec_1']])]);
  const installed = join(dir, 'node_modules', 'wellspring-verifier', 'package.json');
  expect(JSON.parse(readFileSync(installed, 'utf8'))).not.toHaveProperty('dependencies');
});

test(
  'the package includes its types',
  () => {
    writeFileSync(
      join(dir, 'typed.ts'),
      `import { type Report, verifyExport } from 'wellspring-verifier';
    const report: Report = await verifyExport((async function* () {})(), { keys: [] });
    export const isWhole: boolean = report.isWhole;
    // @ts-expect-error: a report holds findings, not their number.
    export const count: number = report.findings;`,
    );
    const tsc = join(rootDir, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--types', 'node', '--typeRoots', join(rootDir, 'node_modules', '@types')];
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', ...types];
    const check = (): string =>
      execFileSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: dir, encoding: 'utf8' });
    expect(check()).toBe('');
  },
  slowMs,
);
