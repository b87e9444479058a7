// Chooses the versions of records about data stores.

/** An older program would take a request for an unreadable trigger, and never answer it. */
const dataStoresVersion = 7;

/** An older program would not know that the store is gone. */
const removedStoresVersion = 10;

export const storeVersions = {
  DataStoreRequested: dataStoresVersion,
  DataStoreSaved: dataStoresVersion,
  DataStoreRemoved: removedStoresVersion,
  StoreEntrySaved: dataStoresVersion,
  StoreRequestsTaken: dataStoresVersion,
} as const;
