// The view store in SQLite keeps the contract, and further promises about its file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeViewStore } from '../view-store.contract.ts';
import type { ViewDefinition } from '../view-store.ts';
import { SqliteViewStore } from './sqlite-view-store.ts';

describeViewStore('SqliteViewStore', async (definitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'views-'));
  const file = join(folder, 'views.sqlite');
  let store = await SqliteViewStore.open({ file, definitions });
  return {
    store,
    reopen: async (again: readonly ViewDefinition[]) => {
      await store.close();
      store = await SqliteViewStore.open({ file, definitions: again });
      return store;
    },
    dispose: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
