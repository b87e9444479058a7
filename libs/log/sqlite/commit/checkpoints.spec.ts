import { linkSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { until } from '../../../../test/support/until.ts';
import { Checkpoints } from './checkpoints.ts';

const MiB = 1024 * 1024;
/** More bytes than start a checkpoint, and than the -wal file may hold. */
const muchBytes = 40 * MiB;
/** How long the commit thread's connection, and one in a test, waits for a lock. */
const busyTimeoutMs = 5_000;

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  file = join(directory, 'log.sqlite');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Opens a file whose -wal file holds more than `muchBytes`, none of it copied yet. */
function grownFile(): Database.Database {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec('CREATE TABLE grown (bytes BLOB)');
  grow(db);
  return db;
}

function grow(db: Database.Database): void {
  const insert = db.prepare('INSERT INTO grown VALUES (zeroblob(?))');
  for (let bytes = 0; bytes < muchBytes; bytes += MiB) insert.run(MiB);
}

test('a failed checkpoint is ignored, and the next one tries again', async () => {
  const db = grownFile();
  let failures = 0;
  const failing = {
    pragma: (source: string, options?: Database.PragmaOptions) => {
      if (source !== 'wal_checkpoint(PASSIVE)') return db.pragma(source, options);
      failures++;
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    },
  };
  const checkpoints = new Checkpoints(failing, file);
  checkpoints.afterCommit();
  await until('the first to fail', () => failures === 1);
  grow(db);
  checkpoints.afterCommit();
  await until('the second to fail', () => failures === 2);
  await checkpoints.close();
  expect(checkpoints.isUnderWay).toBe(false);
  db.close();
});

test('a checkpoint thread that cannot open the file is started again for the next checkpoint', async () => {
  const elsewhere = join(directory, 'later.sqlite');
  const db = grownFile();
  const checkpoints = new Checkpoints(db, elsewhere);
  checkpoints.afterCommit();
  // Commits do not wait for a thread that has ended.
  grow(db);
  const begun = performance.now();
  checkpoints.afterCommit();
  expect(performance.now() - begun).toBeLessThan(busyTimeoutMs);
  await until('it to have ended', () => !checkpoints.isUnderWay);
  linkSync(file, elsewhere);
  for (const part of ['-wal', '-shm']) linkSync(`${file}${part}`, `${elsewhere}${part}`);
  checkpoints.afterCommit();
  await until('the checkpoint', () => !checkpoints.isUnderWay);
  expect(statSync(file).size).toBeGreaterThan(muchBytes);
  await checkpoints.close();
  db.close();
});

test('the file size is checked after the first commit, and then once the file may have grown by 2 MiB', () => {
  let looks = 0;
  const db = {
    pragma: (source: string) => {
      if (source === 'wal_checkpoint(NOOP)') looks++;
      return source === 'page_size' ? 4_096 : [{ log: 0, checkpointed: 0 }];
    },
  };
  const checkpoints = new Checkpoints(db, file);
  const row = { partition: 0, key: null, count: 1, lines: '{}' };
  const append = {
    kind: 'append',
    id: 1,
    bytes: 1_000,
    topics: [{ topic: 'runs', rows: [row] }],
    marked: null,
  } as const;
  const looksAfter = (commits: number, bytes: number): number => {
    for (let i = 0; i < commits; i++) checkpoints.afterCommit([{ ...append, bytes }]);
    return looks;
  };
  expect(looksAfter(1, 1_000)).toBe(1);
  // A row and a mark: 32 KiB and 2,000 bytes.
  expect(looksAfter(60, 1_000)).toBe(1);
  expect(looksAfter(1, 1_000)).toBe(2);
  expect(looksAfter(1, MiB)).toBe(3);
  checkpoints.afterCommit();
  expect(looks).toBe(4);
});

test('while a reader in another program keeps the -wal file from being copied, commits do not wait for it', async () => {
  const db = grownFile();
  const checkpoints = new Checkpoints(db, file);
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  expect(reader.prepare('SELECT count(*) AS count FROM grown').get()).toEqual({ count: muchBytes / MiB });
  let longestMs = 0;
  for (let step = 0; step < 4; step++) {
    grow(db);
    const begun = performance.now();
    // The first call starts the checkpoint, the second one happens during it.
    checkpoints.afterCommit();
    checkpoints.afterCommit();
    longestMs = Math.max(longestMs, performance.now() - begun);
    await until('the checkpoint to end', () => !checkpoints.isUnderWay);
  }
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(4 * muchBytes);
  expect(longestMs).toBeLessThan(busyTimeoutMs);

  reader.close();
  grow(db);
  checkpoints.afterCommit();
  await until('the checkpoint after it', () => !checkpoints.isUnderWay);
  await checkpoints.close();
  db.close();
}, 60_000);
