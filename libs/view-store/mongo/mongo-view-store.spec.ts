// The view store in MongoDB keeps the contract, on a real server.
import { jest } from '@jest/globals';
import { describeViewStore } from '../view-store.contract.ts';
import { againstMongo, createTestDatabase } from './fixture/server.ts';
import { MongoViewStore } from './mongo-view-store.ts';

/** Collections are created and dropped for each part, on a server that all specs share. */
const slowMs = 30_000;

againstMongo('the view store contract', (url) => {
  jest.setTimeout(slowMs);

  describeViewStore('MongoViewStore', async (definitions) => {
    const { name: database, drop } = createTestDatabase(url);
    let store = await MongoViewStore.open({ url, database, definitions });
    return {
      store,
      reopen: async (again) => {
        await store.close();
        store = await MongoViewStore.open({ url, database, definitions: again });
        return store;
      },
      dispose: async () => {
        await store.close();
        await drop();
      },
    };
  });

  test('it returns how much the server stores', async () => {
    const { name: database, drop } = createTestDatabase(url);
    const store = await MongoViewStore.open({ url, database, definitions: [{ name: 'things', indexes: {} }] });
    await store.live().put([{ view: 'things', id: 'a', version: 1, value: { text: 'x'.repeat(10_000) } }]);
    const sizes = await store.sizes();
    expect(sizes).toEqual({ documents: expect.any(Number), indexes: expect.any(Number) });
    expect(sizes?.documents).toBeGreaterThan(100);
    await store.close();
    await drop();
  });
});
