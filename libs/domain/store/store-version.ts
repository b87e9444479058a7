// Chooses the versions of records about data stores.

/** An older program would take a request for an unreadable trigger, and never answer it. */
const dataStores = 7;

/** An older program would not know that the store is gone. */
const removedStores = 10;

export const storeRules = {
  DataStoreRequested: dataStores,
  DataStoreSaved: dataStores,
  DataStoreRemoved: removedStores,
  StoreEntrySaved: dataStores,
  StoreRequestsTaken: dataStores,
} as const;
