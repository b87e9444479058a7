import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { outgoing, readRecords, requestAll } from '../contract/harness.ts';
import { makeDirectory, type Directory } from './fixture/directory.ts';
import { SqliteLog } from './sqlite-log.ts';

let directory: Directory;
let file: string;
beforeEach(() => {
  directory = makeDirectory();
  file = directory.file;
});
afterEach(() => directory.remove());

/** Makes a log of some hundred pages, and closes it. */
async function filled(): Promise<void> {
  const log = await directory.open();
  for (let i = 0; i < 20; i++)
    await requestAll(
      log,
      Array.from({ length: 50 }, () => outgoing('commands', 0, { data: 'x'.repeat(1000) })),
    );
  await log.close();
}

test('a closed log is one file and its lock, both readable by their owner only', async () => {
  await filled();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file)).toSorted()).toEqual(['log.sqlite', 'log.sqlite.lock']);
  expect(statSync(`${file}.lock`).mode & 0o777).toBe(0o600);
});

test('the -wal and -shm files of an open log are readable by their owner only', async () => {
  const log = await directory.open();
  await log.request(outgoing('commands'));
  for (const part of ['-wal', '-shm']) expect(statSync(`${file}${part}`).mode & 0o777).toBe(0o600);
  await log.close();
});

test('a log that this process has open is in use', async () => {
  const log = await directory.open();
  await expect(directory.open()).rejects.toMatchObject({ code: 'in_use' });
  await log.request(outgoing('commands'));
  await log.close();
  await (await directory.open()).close();
});

test('when there is a directory in place of the log, the error names it', async () => {
  mkdirSync(file);
  await expect(directory.open()).rejects.toMatchObject({ code: 'EISDIR', path: file });
});

test('a log in a folder whose path is too long for SQLite is refused, with its path in the error', async () => {
  const deep = join(dirname(file), 'a'.repeat(250), 'b'.repeat(250), 'c'.repeat(250));
  mkdirSync(deep, { recursive: true });
  const opened = SqliteLog.open({ file: join(deep, 'log.sqlite'), partitions: 1 });
  await expect(opened).rejects.toThrow(`${join(deep, 'log.sqlite.lock')} cannot be used now`);
});

test.each([
  ['text', (path: string) => writeFileSync(path, 'notes\n'.repeat(100))],
  ['nothing at all', (path: string) => writeFileSync(path, '')],
  [
    'the tables of another program',
    (path: string) => {
      const db = new Database(path);
      db.exec('CREATE TABLE theirs (a)');
      db.close();
    },
  ],
])('a file that holds %s is refused and left as it was', async (_, make) => {
  make(file);
  const before = readFileSync(file);
  await expect(directory.open()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining(file) });
  expect(readFileSync(file)).toEqual(before);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('a truncated log is refused, not repaired', async () => {
  await filled();
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const before = readFileSync(file);
  await expect(directory.open()).rejects.toMatchObject({ code: 'corrupt', retryable: false });
  expect(readFileSync(file)).toEqual(before);
});

test('damage within the file fails the read that finds it, and is not retryable', async () => {
  await filled();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 16_384);
  writeFileSync(file, bytes);
  const log = await directory.open();
  const read = readRecords(log, { topic: 'commands', partition: 0, from: 0 }, 1000);
  await expect(read).rejects.toMatchObject({
    code: 'corrupt',
    retryable: false,
    message: expect.stringContaining(file),
  });
  await log.close();
});

test('a -wal file without its log is refused', async () => {
  const log = await directory.open();
  await log.request(outgoing('commands'));
  copyFileSync(`${file}-wal`, `${file}-kept`);
  await log.close();
  rmSync(file);
  copyFileSync(`${file}-kept`, `${file}-wal`);
  await expect(directory.open()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('-wal') });
  expect(existsSync(file)).toBe(false);
});

test('a different partition count is refused, naming both counts', async () => {
  await (await directory.open()).close();
  await expect(SqliteLog.open({ file, partitions: 8 })).rejects.toMatchObject({
    code: 'mismatch',
    message: expect.stringMatching(/partitions = 4, not 8/),
  });
  await (await directory.open()).close();
});

test.each([
  ['hash', "UPDATE settings SET value = 'crc-16' WHERE name = 'hash'", /crc-16/],
  ['version', 'PRAGMA user_version = 99', /version 99/],
])('a different %s is refused and named', async (_, change, named) => {
  await (await directory.open()).close();
  const db = new Database(file);
  db.exec(change);
  db.close();
  await expect(directory.open()).rejects.toMatchObject({ code: 'mismatch', message: expect.stringMatching(named) });
});

test('a log that a crash left half created is created again', async () => {
  writeFileSync(`${file}.new`, 'half of a log');
  const log = await directory.open();
  await log.request(outgoing('commands'));
  await log.close();
  expect(existsSync(`${file}.new`)).toBe(false);
});

test('a topic added in a later version gets its table', async () => {
  await (await directory.open()).close();
  const db = new Database(file);
  db.exec('DROP TABLE runs');
  db.close();
  const log = await directory.open();
  const writer = await log.own('runtime', 1);
  await expect(writer.append([outgoing('runs', 1)], {})).resolves.toHaveLength(1);
  await log.close();
});
