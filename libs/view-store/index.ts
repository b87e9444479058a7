// What other libs use of the view store.
export { waitForCheckpoint, type Passing } from './wait-for-checkpoint.ts';
export {
  ViewBuild,
  ViewStore,
  type ViewDefinition,
  type ViewDocument,
  type ViewQuery,
  type ViewValue,
  type ViewWrite,
} from './view-store.ts';
