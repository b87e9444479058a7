// Exports what other libs use of the view store; engines import the adapters by name.
export { waitForCheckpoint } from './wait-for-checkpoint.ts';
export { ViewBuild, ViewStore, type ViewWrite } from './view-store.ts';
