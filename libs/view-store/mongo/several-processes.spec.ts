// Several processes on one database: they follow a switch, none writes to the old build, and unused builds are dropped.
import { jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { book, definitions, everything, ids, write } from '../contract/fixture.ts';
import type { ViewDefinition } from '../view-store.ts';
import { againstMongo, createTestDatabase, type TestDatabase } from './fixture/server.ts';
import { MongoViewStore } from './mongo-view-store.ts';
import { buildOf, collectionOf, pointersName } from './collection-names.ts';
import type { StoredPointer } from './pointer.ts';
import { sweep } from './sweep.ts';

const slowMs = 30_000;
/** The pointer is reread after a second; the rest is for a busy machine. */
const followedWithinMs = 5_000;
const dayMs = 24 * 60 * 60 * 1_000;
const closed = { name: 'PortError', code: 'closed' };

async function until(reached: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + followedWithinMs;
  while (!(await reached())) {
    if (performance.now() > deadline) throw new Error(`Not reached within ${followedWithinMs} ms`);
    await wait(20);
  }
}

againstMongo('the view store in several processes', (url) => {
  jest.setTimeout(slowMs);

  let testDatabase: TestDatabase;
  const opened: MongoViewStore[] = [];
  beforeEach(() => void (testDatabase = createTestDatabase(url)));
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await testDatabase.drop();
  });

  const pointers = () => testDatabase.raw.collection<StoredPointer>(pointersName);
  const sweepAt = (now: number) => sweep({ database: testDatabase.raw, pointers: pointers(), now });

  async function open(these: readonly ViewDefinition[] = definitions, fresh: string[] = []): Promise<MongoViewStore> {
    const onFresh = (message: string): void => void fresh.push(message);
    const store = await MongoViewStore.open({ url, database: testDatabase.name, definitions: these, onFresh });
    opened.push(store);
    return store;
  }

  async function builds(): Promise<Set<string | undefined>> {
    const collections = await testDatabase.raw.listCollections({}, { nameOnly: true }).toArray();
    return new Set(collections.map(({ name }) => buildOf(name)).filter((build) => build !== undefined));
  }

  async function switched(store: MongoViewStore, id: string): Promise<void> {
    const build = await store.begin();
    await build.put([write(id, 1, book('a', 1))]);
    await build.saveCheckpoint({ 'channels/0': 7 });
    await store.switchTo(build);
  }

  test('processes that open the store at once share one live build', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open()));
    await stores[0]?.live().put([write('x', 1, book('a', 1))]);
    for (const store of stores) expect(ids(await everything(store.live()))).toEqual(['x']);
    expect((await builds()).size).toBe(1);
  });

  test('a writer that resumes after the views were emptied fills the build that all processes will read', async () => {
    const [writing, reading] = [await open(), await open()];
    const before = writing.live().name;
    await testDatabase.raw.dropDatabase();
    expect(await writing.live().resume()).toEqual({});
    expect(writing.live().name).not.toBe(before);
    await writing.live().put([write('x', 1, book('a', 1))]);
    await until(async () => ids(await everything(reading.live())).includes('x'));
    expect(reading.live().name).toBe(writing.live().name);
    expect((await pointers().find().toArray()).map(({ live }) => live)).toEqual([writing.live().name]);
  });

  test('another process reads the complete old build until it follows a switch, which is soon', async () => {
    const [rebuilding, reading] = [await open(), await open()];
    await rebuilding.live().put(['old1', 'old2'].map((id) => write(id, 1, book('a', 1))));
    await switched(rebuilding, 'new');
    const seen = new Set<string>();
    await until(async () => {
      const found = ids(
        await reading.live().find('books', { index: 'byYear', equals: [], order: 'ascending', limit: 9 }),
      );
      seen.add(found.join());
      return found.includes('new');
    });
    expect([...seen].filter((found) => found !== 'old1,old2' && found !== 'new')).toEqual([]);
    expect(reading.live().name).toBe(rebuilding.live().name);
  });

  test('a writer of the old build can write to the new one only from its checkpoint on', async () => {
    const [rebuilding, writing] = [await open(), await open()];
    await switched(rebuilding, 'new');
    await until(async () => (await writing.live().get('books', 'new')) !== undefined);
    const late = [write('late', 9, book('a', 9))];
    const refused = { name: 'PortError', code: 'unavailable', retryable: true };
    await expect(writing.live().put(late)).rejects.toMatchObject(refused);
    await expect(writing.live().saveCheckpoint({ 'channels/0': 10 })).rejects.toMatchObject(refused);
    expect(await rebuilding.live().get('books', 'late')).toBeUndefined();
    // Readers of the checkpoint are not writers: no writes continue from the positions that they read.
    expect(await writing.live().checkpoint()).toEqual({ 'channels/0': 7 });
    await expect(writing.live().put(late)).rejects.toMatchObject(refused);
    expect(await writing.live().resume()).toEqual({ 'channels/0': 7 });
    await writing.live().put(late);
    await writing.live().saveCheckpoint({ 'channels/0': 10 });
    expect(await rebuilding.live().checkpoint()).toEqual({ 'channels/0': 10 });
  });

  test('the old build and its checkpoint are dropped once no process can read it any more', async () => {
    const store = await open();
    await store.live().saveCheckpoint({ 'channels/0': 5 });
    const old = store.live().name;
    await switched(store, 'new');
    await sweepAt(Date.now());
    expect(await builds()).toEqual(new Set([old, store.live().name]));
    await sweepAt(Date.now() + 60_000);
    expect(await builds()).toEqual(new Set([store.live().name]));
    expect(await testDatabase.raw.collection<{ _id: string }>('views.checkpoints').distinct('_id')).toEqual([
      store.live().name,
    ]);
  });

  test('a starting process leaves a running rebuild alone, and drops an abandoned one', async () => {
    const store = await open();
    const build = await store.begin();
    await open();
    await build.put([write('x', 1, book('a', 1))]);
    expect(ids(await everything(build))).toEqual(['x']);
    await pointers().updateOne({}, { $set: { begunUsedAt: new Date(0) } });
    await open();
    expect(await builds()).toEqual(new Set([store.live().name]));
    await until(async () =>
      build.put([]).then(
        () => false,
        () => true,
      ),
    );
    await expect(build.put([write('x', 2, book('a', 2))])).rejects.toMatchObject(closed);
    await expect(store.switchTo(build)).rejects.toThrow(/not the one begun/);
  });

  test('of two concurrent rebuilds the later one is switched to', async () => {
    const [first, second] = [await open(), await open()];
    const abandoned = await first.begin();
    const current = await second.begin();
    await expect(first.switchTo(abandoned)).rejects.toThrow(/not the one begun/);
    await second.switchTo(current);
    await until(async () => (await first.live().get('books', 'x')) === undefined && first.live().name === current.name);
  });

  test('a collection created by a late write to a dropped build is dropped again', async () => {
    const store = await open();
    await testDatabase.raw.collection(collectionOf('0123456789abcdef01234567', 'books')).insertOne({ version: 1 });
    await testDatabase.raw.collection('other.books').insertOne({ kept: true });
    await sweepAt(Date.now());
    expect(await builds()).toEqual(new Set([store.live().name]));
    expect(await testDatabase.raw.collection('other.books').countDocuments()).toBe(1);
  });

  test('views with changed definitions start empty, and those of earlier definitions are unchanged', async () => {
    const messages: string[] = [];
    const before = await open(definitions, messages);
    await before.live().put([write('x', 1, book('a', 1))]);
    const later = definitions.map((definition) => ({ ...definition, revision: 2 }));
    const after = await open(later, messages);
    expect(await everything(after.live())).toEqual([]);
    expect(messages).toEqual([expect.stringContaining('have other definitions, or were made from another log')]);
    expect(ids(await everything((await open()).live()))).toEqual(['x']);
    await pointers().updateOne({ live: before.live().name }, { $set: { usedAt: new Date(Date.now() - 2 * dayMs) } });
    await open(later, messages);
    expect(await builds()).toEqual(new Set([after.live().name]));
    expect(messages).toHaveLength(1);
  });

  test('logs that share a database have separate views, and neither restarts those of the other', async () => {
    const openFor = async (log: string): Promise<MongoViewStore> => {
      const store = await MongoViewStore.open({ url, database: testDatabase.name, definitions, log });
      opened.push(store);
      return store;
    };
    const [one, other] = [await openFor('one'), await openFor('other')];
    await one.live().put([write('x', 1, book('a', 1))]);
    await one.live().saveCheckpoint({ 'channels/0': 5 });
    await switched(other, 'y');
    const found = [one, other, await openFor('one')].map(async (store) => ids(await everything(store.live())));
    expect(await Promise.all(found)).toEqual([['x'], ['y'], ['x']]);
    expect(await one.live().checkpoint()).toEqual({ 'channels/0': 5 });
  });

  test('a late bulk of a process that was taken over restores nothing that others have removed', async () => {
    const [late, owner] = [await open(), await open()];
    const bulk = ['x', 'y'].map((id, at) => ({ ...write(id, 3, book('a', 1)), isNew: at === 0 }));
    await owner.live().put([...bulk, write('z', 3, book('b', 1))]);
    const range = { index: 'byShelf', equals: ['a'], belowVersion: 9 };
    await owner.live().removeRange('books', { ...range, leaves: 'fading' });
    await late.live().put(bulk);
    expect(ids(await everything(owner.live()))).toEqual(['z']);
    await late.live().put([write('x', 9, book('a', 1))]);
    expect(ids(await everything(owner.live()))).toEqual(['x', 'z']);
    const collection = testDatabase.raw.collection(collectionOf(owner.live().name, 'books'));
    expect(await collection.find({ removedAt: { $type: 'date' } }).toArray()).toHaveLength(1);
  });

  test('dropped views are created again with their indexes while processes run', async () => {
    const store = await open();
    await store.live().put([write('x', 1, book('a', 1))]);
    await testDatabase.raw.dropDatabase();
    await until(async () => (await store.live().get('books', 'x')) === undefined && (await builds()).size === 1);
    expect(await store.live().checkpoint()).toEqual({});
    const collection = testDatabase.raw.collection(collectionOf(store.live().name, 'books'));
    await until(async () => (await collection.indexes()).length === 5);
  });

  test('the declared indexes exist, each ending in the id, and so does one that lets the server remove what fades', async () => {
    const store = await open();
    const collection = testDatabase.raw.collection(collectionOf(store.live().name, 'books'));
    const keys = Object.fromEntries((await collection.indexes()).map(({ name, key }) => [name, Object.keys(key)]));
    expect(keys).toEqual({
      _id_: ['_id'],
      byShelf: ['fields.shelf', 'fields.year', '_id'],
      byTitle: ['fields.shelf', 'fields.genre', 'fields.title', '_id'],
      byYear: ['fields.year', '_id'],
      fading: ['removedAt'],
    });
    const fading = (await collection.indexes()).find(({ name }) => name === 'fading');
    expect(fading).toMatchObject({ sparse: true, expireAfterSeconds: 24 * 60 * 60 });
  });

  test('the error for a damaged document names it', async () => {
    const store = await open();
    await store.live().put([write('x', 1, book('a', 1))]);
    const collection = testDatabase.raw.collection<{ _id: string }>(collectionOf(store.live().name, 'books'));
    await collection.updateOne({ _id: 'x' }, { $set: { text: '{' } });
    await expect(store.live().get('books', 'x')).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('Document x of view books'),
    });
  });
});
