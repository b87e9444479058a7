// The versions of records about data stores.

/** An older program would take a request for an unreadable trigger, and never answer it. */
const dataStores = 7;

export const storeRules = {
  DataStoreRequested: dataStores,
  DataStoreSaved: dataStores,
  StoreEntrySaved: dataStores,
  StoreRequestsTaken: dataStores,
} as const;
