// Which files are accepted as views and which are rejected, and how leftovers of a crash or an upgrade are handled.
import Database from 'better-sqlite3';
import { copyFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PortError, PortErrorCode } from '../../domain/port-error.ts';
import type { ViewDefinition, ViewStore } from '../view-store.ts';
import { fromSqlite } from './sqlite-errors.ts';
import { SqliteViewStore } from './sqlite-view-store.ts';
import { ViewWriter } from './writing/view-writer.ts';

const definitions: readonly ViewDefinition[] = [{ name: 'books', indexes: { byShelf: ['shelf', 'year'] } }];
const bookCount = 400;
const dropMaxMs = 20_000;

let folder = '';
let file = '';
const opened: ViewStore[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'views-'));
  file = join(folder, 'deep', 'views.sqlite');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await rm(folder, { recursive: true });
});

async function open(more: Partial<Parameters<typeof SqliteViewStore.open>[0]> = {}): Promise<SqliteViewStore> {
  const store = await SqliteViewStore.open({ file, definitions, ...more });
  opened.push(store);
  return store;
}

/** Makes a file with documents in it, and closes it. */
async function filled(): Promise<void> {
  const store = await open();
  const value = (i: number) => ({ shelf: 'a', year: i, text: 'x'.repeat(300) });
  await store
    .live()
    .put(Array.from({ length: bookCount }, (_, i) => ({ view: 'books', id: `${i}`, version: 1, value: value(i) })));
  await store.live().saveCheckpoint({ 'channels/0': 7 });
  await store.close();
}

/** Returns the error of opening, and whether it changed a byte of the file. */
async function refusal(): Promise<unknown> {
  const before = readFileSync(file);
  const { code, message } = await open().then(
    () => ({ code: 'opened', message: '' }),
    (error: PortError) => error,
  );
  return { code, message, untouched: readFileSync(file).equals(before) };
}

/** The version that a program reads without the WAL. */
const layoutInHeader = (): number => readFileSync(file).readUInt32BE(60);

/** The expected refusal; the message must name the file. */
const refused = (code: PortErrorCode, message: string) => ({
  code,
  message: expect.stringMatching(new RegExp(`${file}.*${message}`)) as string,
  untouched: true,
});

test('a new file is readable by its owner only, in folders created for it', async () => {
  await open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.new`)).toBe(false);
});

test('a second store on the same file is refused', async () => {
  await open();
  await expect(open()).rejects.toMatchObject({ code: 'in_use' });
});

test('a file that is not a database is refused untouched', async () => {
  await filled();
  writeFileSync(file, 'Dear diary, '.repeat(100));
  expect(await refusal()).toEqual(refused('corrupt', 'no SQLite database'));
  writeFileSync(file, 'short');
  expect(await refusal()).toEqual(refused('corrupt', 'no SQLite database'));
  writeFileSync(file, 'SQLite format 3\0');
  expect(await refusal()).toEqual(refused('corrupt', 'no SQLite database'));
});

test('a file that cannot be used when writing begins is used as soon as it can be', async () => {
  await filled();
  renameSync(file, `${file}.away`);
  const writer = new ViewWriter({ file, definitions });
  const save = () => writer.submit({ kind: 'checkpoint', build: '1', positions: '{"channels/0":9}', held: '{}' });
  await expect(save()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(save()).rejects.toThrow(`${file} cannot be used now`);
  renameSync(`${file}.away`, file);
  await save();
  await writer.close();
  expect(await (await open()).live().checkpoint()).toEqual({ 'channels/0': 9 });
});

test("another program's database is refused untouched", async () => {
  await filled();
  await rm(file);
  const foreign = new Database(file);
  foreign.exec('CREATE TABLE letters (text TEXT)');
  foreign.close();
  expect(await refusal()).toEqual(refused('corrupt', 'another program'));
});

test('views of an earlier layout are rebuilt once, and earlier programs refuse the file from then on', async () => {
  await filled();
  const layoutOf = (database: Database.Database) => database.pragma('user_version', { simple: true });
  const database = new Database(file);
  expect(layoutOf(database)).toBe(3);
  // The form that earlier programs wrote.
  database.prepare('UPDATE builds SET definitions = ?').run(JSON.stringify(definitions));
  database.pragma('user_version = 2');
  database.close();
  const messages: string[] = [];
  const onFresh = (message: string) => messages.push(message);
  const store = await open({ onFresh });
  expect(messages).toEqual([expect.stringMatching(`${file} are built again`)]);
  expect(await store.live().checkpoint()).toEqual({});
  expect(await store.live().get('books', '1')).toBeUndefined();
  await store.live().saveCheckpoint({ 'channels/0': 8 });
  expect(layoutInHeader()).toBe(3);
  await store.close();
  const again = await open({ onFresh });
  expect(messages).toHaveLength(1);
  expect(await again.live().checkpoint()).toEqual({ 'channels/0': 8 });
  await again.close();
  const after = new Database(file);
  expect(layoutOf(after)).toBe(3);
  after.close();
});

test('a layout version that a crash left in the WAL is written to the header of the file', async () => {
  await filled();
  const crashed = join(folder, 'crashed.sqlite');
  const database = new Database(file);
  database.pragma('user_version = 2');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.pragma('user_version = 3');
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${crashed}${part}`);
  database.close();
  file = crashed;
  expect(layoutInHeader()).toBe(2);
  const store = await open();
  await store.live().saveCheckpoint({ 'channels/0': 8 });
  expect(layoutInHeader()).toBe(3);
});

test('a file of another layout is refused untouched', async () => {
  await filled();
  const other = new Database(file);
  other.pragma('user_version = 99');
  other.close();
  expect(await refusal()).toEqual(refused('mismatch', 'layout 99'));
});

test('a truncated file is refused untouched', async () => {
  await filled();
  truncateSync(file, 8_192);
  expect(await refusal()).toEqual(refused('corrupt', 'damaged'));
});

test('damage within the file is reported when found, and the next start begins with empty views, once', async () => {
  await filled();
  const bytes = readFileSync(file);
  const pageBytes = bytes.readUInt16BE(16);
  bytes.fill(0x5a, pageBytes * 2);
  writeFileSync(file, bytes);
  const met = await open()
    .then(async (store) => {
      for await (const { id } of store.live().all('books')) expect(id).not.toBe('');
    })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(met).toMatchObject({ name: 'PortError', code: 'corrupt', retryable: false });
  for (const store of opened.splice(0)) await store.close();
  const messages: string[] = [];
  const next = await open({ onFresh: (message) => messages.push(message) });
  expect(messages).toEqual([expect.stringMatching(`${file} was damaged`)]);
  expect(await next.live().checkpoint()).toEqual({});
  await next.live().saveCheckpoint({ 'channels/0': 8 });
  await next.close();
  expect(await (await open()).live().checkpoint()).toEqual({ 'channels/0': 8 });
});

test('a document that is not valid JSON is damage, and so is one that cannot be unpacked', async () => {
  await filled();
  const database = new Database(file);
  database.exec(`UPDATE "1/books" SET value = '{' WHERE id = '1'`);
  database.exec(`UPDATE "1/books" SET value = x'00ff' WHERE id = '2'`);
  database.close();
  const live = (await open()).live();
  for (const id of ['1', '2']) {
    const damage = { code: 'corrupt', message: expect.stringContaining(`document ${id} of view books`) as string };
    await expect(live.get('books', id)).rejects.toMatchObject(damage);
  }
});

test('damage found while writing is noted for the next start as well', async () => {
  await filled();
  const database = new Database(file);
  const bytes = readFileSync(file);
  const [root] = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = '1/books'`).pluck().all() as [
    number,
  ];
  database.close();
  const pageBytes = bytes.readUInt16BE(16);
  bytes.fill(0x5a, pageBytes * (root - 1), pageBytes * root);
  writeFileSync(file, bytes);
  const store = await open();
  const value = { shelf: 'a', year: 1, text: '' };
  const put = store.live().put([{ view: 'books', id: '1', version: 2, value }]);
  await expect(put).rejects.toMatchObject({ code: 'corrupt' });
  await store.close();
  expect(await (await open()).live().checkpoint()).toEqual({});
});

test('an empty file is used as a new one, and leftovers of a removed file are ignored', async () => {
  await filled();
  writeFileSync(file, '');
  writeFileSync(`${file}-wal`, 'left over');
  writeFileSync(`${file}.new`, 'left over');
  const store = await open();
  expect(await store.live().checkpoint()).toEqual({});
});

test('changed definitions open a fresh live build and report it; unchanged ones do not', async () => {
  await filled();
  const messages: string[] = [];
  const onFresh = (message: string) => messages.push(message);
  const same = await open({ onFresh });
  expect(await same.live().checkpoint()).toEqual({ 'channels/0': 7 });
  await same.close();
  const raised = definitions.map((definition) => ({ ...definition, revision: 2 }));
  const fresh = await open({ definitions: raised, onFresh });
  expect(messages).toHaveLength(1);
  expect(messages[0]).toContain(file);
  expect(await fresh.live().checkpoint()).toEqual({});
  expect(await fresh.live().get('books', '1')).toBeUndefined();
  await fresh.close();
  const again = await open({ definitions: raised, onFresh });
  expect(messages).toHaveLength(1);
  await again.close();
});

test('tables of unused builds are dropped after the next start', async () => {
  await filled();
  const store = await open();
  const leftOver = await store.begin();
  await store.close();
  await open();
  const database = new Database(file, { readonly: true });
  const tables = () =>
    database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[];
  for (const deadline = performance.now() + dropMaxMs; performance.now() < deadline; await delay(10))
    if (!tables().some((name) => name.startsWith(`${leftOver.name}/`))) break;
  expect(tables().filter((name) => name.startsWith(`${leftOver.name}/`))).toEqual([]);
  expect(tables()).toContain('1/books');
  database.close();
});

test('a failing disk is retryable, damage is corrupt, and a broken invariant is neither of them', () => {
  const of = (code: string) => Object.assign(new Error('m'), { code });
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', 'SQLITE_CANTOPEN']) {
    expect(fromSqlite(of(code), 'f')).toMatchObject({ code: 'unavailable', retryable: true });
  }
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB']) {
    expect(fromSqlite(of(code), 'f')).toMatchObject({ code: 'corrupt', retryable: false });
  }
  const broken = of('SQLITE_CONSTRAINT');
  expect(fromSqlite(broken, 'f')).toBe(broken);
});

test('when the writing thread dies, waiting and later calls reject without hanging', async () => {
  const writer = new ViewWriter({ file: join(folder, 'absent', 'views.sqlite'), definitions });
  await expect(writer.submit({ kind: 'begin' })).rejects.toMatchObject({ code: 'closed' });
  await expect(writer.submit({ kind: 'begin' })).rejects.toMatchObject({ code: 'closed' });
  await writer.close();
});
