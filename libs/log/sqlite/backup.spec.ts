import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { outgoing, readRecords, requestAll } from '../contract/harness.ts';
import { backUp } from './backup.ts';
import { lockFile } from './file.ts';
import { makeDirectory, type Directory } from './fixture/directory.ts';
import { SqliteLog } from './sqlite-log.ts';

let directory: Directory;
let file: string;
let copy: string;
beforeEach(() => {
  directory = makeDirectory();
  file = directory.file;
  copy = join(dirname(file), 'copy.sqlite');
});
afterEach(() => directory.remove());

const openCopy = (): Promise<SqliteLog> => SqliteLog.open({ file: copy, partitions: 4 });

test('the copy of an open log holds its records at their offsets, and continues from there', async () => {
  const log = await directory.open();
  const offsets = await requestAll(log, [outgoing('commands'), outgoing('commands'), outgoing('commands')]);
  const bytes = backUp(file, copy);
  await log.request(outgoing('commands'));
  await log.close();

  expect(bytes).toBe(statSync(copy).size);
  const copied = await openCopy();
  const records = await readRecords(copied, { topic: 'commands', partition: 0, from: 0 }, 3);
  expect(records.map(({ offset }) => offset)).toEqual(offsets);
  expect(await copied.request(outgoing('commands'))).toBe((offsets.at(-1) ?? 0) + 1);
  await copied.close();
});

test('the copy is readable by its owner only, and no other file is left next to it', async () => {
  await (await directory.open()).close();
  backUp(file, copy);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
});

test('the file that a killed backup left does not stop the next backup', async () => {
  await (await directory.open()).close();
  writeFileSync(`${copy}.part`, 'half');
  backUp(file, copy);
  const copied = await openCopy();
  expect(await copied.request(outgoing('commands'))).toBe(1);
  await copied.close();
});

test('a file that another backup is writing is left untouched', async () => {
  await (await directory.open()).close();
  const unlock = lockFile(`${copy}.part`);
  writeFileSync(`${copy}.part`, 'half');
  expect(() => backUp(file, copy)).toThrow(`another backup is writing ${copy}`);
  expect(readFileSync(`${copy}.part`, 'utf8')).toBe('half');
  unlock();
  backUp(file, copy);
  expect(() => backUp(file, copy)).toThrow(`${copy} exists already`);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
});

/** Starts a process that appends to the log; resolves once that many of its appends are acknowledged. */
async function appending(
  count: number,
): Promise<{ readonly acknowledged: number[]; readonly kill: () => Promise<void> }> {
  const fixture = new URL('./fixture/appending-process.ts', import.meta.url);
  const child = spawn(process.execPath, [fixture.pathname, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const acknowledged: number[] = [];
  lines.on('line', (line) => line !== 'opened' && acknowledged.push(Number(line.split(' ')[0])));
  while (acknowledged.length < count) await once(lines, 'line');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { acknowledged, kill };
}

/** How many appends the copy has according to its mark, and how many runs: each append has one. */
async function appendsIn(): Promise<{ readonly marked: number; readonly runs: number }> {
  const copied = await openCopy();
  const { positions } = (await copied.own('runtime', 1)).mark;
  const runs = await readRecords(copied, { topic: 'runs', partition: 1, from: 0 }, 0);
  await copied.close();
  return { marked: positions['triggers/1'] ?? 0, runs: runs.length };
}

test('a copy made while another process appends has every append acknowledged before, and no half append', async () => {
  const { acknowledged, kill } = await appending(200);
  const before = acknowledged.length;
  backUp(file, copy);
  await kill();
  const { marked, runs } = await appendsIn();
  expect(marked).toBeGreaterThanOrEqual(before);
  expect(runs).toBe(marked);
}, 30_000);

test('the copy of a log whose process was killed has every acknowledged append', async () => {
  const { acknowledged, kill } = await appending(200);
  await kill();
  backUp(file, copy);
  const { marked, runs } = await appendsIn();
  expect(marked).toBeGreaterThanOrEqual(acknowledged.length);
  expect(runs).toBe(marked);
}, 30_000);

test.each([
  ['a file that exists', (path: string) => writeFileSync(path, 'theirs'), /exists already: name a file that does not/],
  ['a folder that exists', (path: string) => mkdirSync(path), /exists already/],
])('refuses to write to %s and leaves it as it is', async (_, make, message) => {
  await (await directory.open()).close();
  make(copy);
  expect(() => backUp(file, copy)).toThrow(message);
  if (!statSync(copy).isDirectory()) expect(readFileSync(copy, 'utf8')).toBe('theirs');
});

test('refuses a log that does not exist, without creating one', () => {
  expect(() => backUp(file, copy)).toThrow(/there is no log .*: set DATA_DIR/);
  expect(existsSync(file)).toBe(false);
});

test('refuses to copy a damaged log, and leaves no copy', async () => {
  const log = await directory.open();
  await requestAll(
    log,
    Array.from({ length: 200 }, () => outgoing('commands', 0, { data: 'x'.repeat(2_000) })),
  );
  await log.close();
  truncateSync(file, statSync(file).size / 2);
  expect(() => backUp(file, copy)).toThrow(/damaged/);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))).toEqual([]);
});

test('when the disk of the copy is full, the error names the copy, and no part of it is left', async () => {
  await (await directory.open()).close();
  const module = JSON.stringify(new URL('./backup.ts', import.meta.url).href);
  const program = `import { backUp } from ${module};
    try { backUp(...process.argv.slice(1)); } catch (error) { console.log(error.message); }`;
  // The system rejects writes beyond this many blocks of a file, as a full disk does.
  const limited = ['-c', 'ulimit -f 64; exec "$0" --input-type=module -e "$@"', process.execPath, program, file, copy];
  const { stdout } = spawnSync('sh', limited, { encoding: 'utf8' });
  expect(stdout).toMatch(`: make room in ${dirname(copy)}, or name a file on another disk`);
  expect(stdout).toMatch(/^the copy cannot be written/);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('copy'))).toEqual([]);
});

test('refuses to write into a folder that does not exist', async () => {
  await (await directory.open()).close();
  const folder = join(dirname(file), 'missing');
  expect(() => backUp(file, join(folder, 'copy.sqlite'))).toThrow(`there is no folder ${folder}`);
});
