// The view store in memory keeps the contract, as adapters do.
import { describeViewStore } from './view-store.contract.ts';
import { MemoryViewStore } from './view-store.fake.ts';

describeViewStore('MemoryViewStore', async (definitions) => {
  const store = new MemoryViewStore(definitions);
  return { store, dispose: () => store.close() };
});
