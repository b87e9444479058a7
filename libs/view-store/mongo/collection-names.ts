// Builds the adapter's names in the database: all begin with `views.`, so that other programs can share the database.
import { createHash } from 'node:crypto';
import type { Long } from 'mongodb';
import type { IndexedValue } from '../catalog.ts';
import type { HeldRecords, ViewDefinition } from '../view-store.ts';

/** Increased when the layout of documents, names or checkpoints changes; the views are then rebuilt from the log. */
const layout = 2;

/** A stored document; a tombstone has an id and a version, and the time of its removal if it fades. */
export interface StoredView {
  readonly _id: string;
  /** Always a Long on the server, so that versions compare as numbers of one type. */
  readonly version: number | Long;
  /** JSON text: keeps the order of keys, and allows any key, including `$` and `__proto__`. */
  readonly text?: string;
  /** The values of the view's indexed fields. */
  readonly fields?: Readonly<Record<string, IndexedValue>>;
  readonly removedAt?: Date;
}

export interface StoredCheckpoint {
  /** The name of the build. */
  readonly _id: string;
  readonly positions: Readonly<Record<string, number>>;
  /** Absent in those of earlier versions. */
  readonly held?: HeldRecords;
}

export const pointersName = 'views.pointers';
export const checkpointsName = 'views.checkpoints';

const buildPrefix = 'views.build.';

export const collectionOf = (build: string, view: string): string => `${buildPrefix}${build}.${view}`;

/** Returns the path of an indexed field in a stored document. */
export const fieldPath = (field: string): string => `fields.${field}`;

/** Returns the build that a collection belongs to; undefined if the collection is not the adapter's. */
export function buildOf(collection: string): string | undefined {
  if (!collection.startsWith(buildPrefix)) return undefined;
  return collection.slice(buildPrefix.length).split('.')[0];
}

/**
 * Each set of definitions has its own live build, so that releases that run at the same time keep their own views; so
 * has each log, since its positions are meaningless for another.
 */
export const viewsKey = (definitions: readonly ViewDefinition[], log: string | undefined): string =>
  createHash('sha256').update(JSON.stringify({ layout, definitions, log })).digest('hex').slice(0, 24);
