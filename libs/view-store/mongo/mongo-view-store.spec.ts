// The view store in MongoDB keeps the contract, on a real server.
import { describeViewStore } from '../view-store.contract.ts';
import { MongoViewStore } from './mongo-view-store.ts';
import { onServer, ownDatabase } from './contract/server.ts';

onServer((url) => {
  describeViewStore('MongoViewStore', async (definitions) => {
    const { database, drop } = ownDatabase(url);
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
});
