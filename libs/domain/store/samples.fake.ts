// A well-formed record of each message about data stores, with every optional field.

const sealed = { $sealed: 'AAAA' };

export const storeSamples = {
  triggers: { DataStoreRequested: { question: sealed, replyTo: 'gw_1' } },
  stores: {
    DataStoreSaved: { storeId: 'ds_1', name: 'n', createdAt: 1 },
    DataStoreRemoved: { storeId: 'ds_1', createdAt: 1 },
    StoreEntrySaved: { storeId: 'ds_1', slot: 1, name: sealed, value: sealed, bytes: 3, expiresAt: 1 },
    StoreRequestsTaken: { below: 1 },
  },
} as const;
