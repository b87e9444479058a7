// A replaced build is dropped between the writes of the live one, and the drop continues after a restart.
import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ViewDefinition, ViewStore, ViewWrite } from '../view-store.ts';
import { SqliteViewStore } from './sqlite-view-store.ts';

const definitions: readonly ViewDefinition[] = [
  { name: 'books', indexes: { byShelf: ['shelf', 'year'], byYear: ['year'] } },
];
/** Enough documents for several steps on any machine. */
const bookCount = 40_000;
const waitMaxMs = 30_000;

let folder = '';
let file = '';
let store: ViewStore | undefined;
let looking: Database.Database | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'views-'));
  file = join(folder, 'views.sqlite');
});
afterEach(async () => {
  looking?.close();
  await store?.close();
  [store, looking] = [undefined, undefined];
  await rm(folder, { recursive: true });
});

const book = (i: number): ViewWrite => ({
  view: 'books',
  id: `${i}`,
  version: 1,
  value: { shelf: `${i % 100}`, year: i, text: 'x'.repeat(200) },
});

/** Opens a store whose live build was just replaced by another with one document. */
async function replaced(): Promise<SqliteViewStore> {
  const opened = await SqliteViewStore.open({ file, definitions });
  store = opened;
  await opened.live().put(Array.from({ length: bookCount }, (_, i) => book(i)));
  const build = await opened.begin();
  await build.put([book(0)]);
  await opened.switchTo(build);
  return opened;
}

/** Returns how many books build 1 still has. */
function remainingRows(): number {
  looking ??= new Database(file, { readonly: true });
  const table = looking.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '1/books'`).pluck().get();
  return table === undefined ? 0 : (looking.prepare('SELECT count(*) FROM "1/books"').pluck().get() as number);
}

async function waitUntil(isMet: () => boolean, meanwhile: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + waitMaxMs; !isMet();) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await meanwhile();
  }
}

const builds = (): unknown => looking?.prepare('SELECT name, live FROM builds').raw().all();

test('writes go on between the steps of a drop, and the space is free afterwards', async () => {
  const live = (await replaced()).live();
  const seen = new Set<number>();
  let version = 1;
  const write = async () => {
    await live.put([{ ...book(0), version: ++version }]);
    await live.saveCheckpoint({ 'channels/0': version });
    seen.add(remainingRows());
  };
  await waitUntil(() => remainingRows() === 0, write);
  // All documents, none, and the number that at least two steps have left.
  expect(seen.size).toBeGreaterThan(3);
  expect(await live.get('books', '0')).toMatchObject({ version });
  await waitUntil(
    () => (builds() as unknown[]).length === 1,
    () => delay(10),
  );
  const [free, pages] = ['freelist_count', 'page_count'].map((name) => looking?.pragma(name, { simple: true }));
  expect(Number(free)).toBeGreaterThan(Number(pages) * 0.95);
});

test('closing the store does not wait for a drop, which continues after the next start', async () => {
  const first = await replaced();
  await waitUntil(
    () => remainingRows() < bookCount,
    () => delay(1),
  );
  await first.close();
  expect(remainingRows()).toBeGreaterThan(0);
  expect(builds()).toEqual([
    [1, 0],
    [2, 1],
  ]);
  store = await SqliteViewStore.open({ file, definitions });
  await store.live().put([book(1)]);
  await waitUntil(
    () => remainingRows() === 0,
    () => delay(10),
  );
  await waitUntil(
    () => (builds() as unknown[]).length === 1,
    () => delay(10),
  );
  expect(await store.live().count('books', { index: 'byYear', equals: [] })).toBe(2);
});

test('a new build is begun and filled while an earlier one is still being dropped', async () => {
  const again = await replaced();
  const build = await again.begin();
  for (let i = 1; remainingRows() > 0; i++) await build.put([book(i)]);
  expect(await build.count('books', { index: 'byYear', equals: [] })).toBeGreaterThan(0);
});
