// Exports the view store for other libs; engines import the adapters by path.
export { waitForCheckpoint } from './wait-for-checkpoint.ts';
export { ViewBuild, ViewStore, type HeldRecord, type HeldRecords, type ViewWrite } from './view-store.ts';
