// The view store port: documents for queries, put if newer, found by declared indexes, rebuilt while the live ones are
// used.
import type { ViewDefinition, ViewValue } from '../domain/views/view.ts';
import type { Positions } from '../log/log.ts';

export type { ViewDefinition, ViewValue };

/** `version` is the offset of its newest record; without `value` it is a tombstone, kept until the next rebuild. */
export interface ViewWrite {
  readonly view: string;
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue | undefined;
  /** No earlier version is known, so a store can try an insert first. Only a hint: a wrong one costs only time. */
  readonly isNew?: boolean;
}

export interface ViewDocument {
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue;
}

/** A document's key in an index: its sort value and id. */
export interface ViewIndexKey {
  readonly sort: string | number;
  readonly id: string;
}

export interface ViewQuery {
  readonly index: string;
  /** One value for each field of the index but the last one, in order. */
  readonly equals: readonly (string | number)[];
  readonly order: 'ascending' | 'descending';
  /** Continues after the document with this sort value and id (keyset; exclusive). */
  readonly after?: ViewIndexKey;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** All documents with these values in an index. */
export type ViewGroup = Pick<ViewQuery, 'index' | 'equals'>;

/** Counts the documents with these values in an index, or only sort values `from` (inclusive) to `to` (exclusive). */
export interface ViewCount extends ViewGroup {
  readonly from?: string | number;
  readonly to?: string | number;
}

/** Documents that `find` returns, with sort values `from` (inclusive) to `to` (exclusive); absent: no bound. */
export interface ViewRange extends ViewGroup {
  readonly from?: string | number;
  readonly to?: string | number;
  /** Documents of this version or a higher one are kept. */
  readonly belowVersion: number;
  /**
   * `tombstones`: a later put of the same or a lower version stays hidden. `nothing`: such a put is visible again.
   * `fading`: it stays hidden for as long as a former owner might still send it: a day where several
   * processes write, no time where only one does.
   */
  readonly leaves: 'tombstones' | 'fading' | 'nothing';
}

/** A record that the views hold, by which their log can be told from another one. */
export interface HeldRecord {
  readonly offset: number;
  /** The same for no other record. */
  readonly identity: string;
}

/** By the key of its position. */
export type HeldRecords = Readonly<Record<string, HeldRecord>>;

/** One generation of all views. After it was replaced or abandoned, its methods throw PortError `closed`. */
export abstract class ViewBuild {
  abstract readonly name: string;
  /**
   * Writes each document unless the build holds the same or a higher version, tombstones included. Accepts any order,
   * repetition and number. Throws a plain Error, and writes nothing, when a document has no text or finite number in an
   * indexed field. After a PortError some might be written: put the same again.
   */
  abstract put(writes: readonly ViewWrite[]): Promise<void>;
  /**
   * Removes a range of documents in steps; idempotent. After a PortError some might be gone: remove the range again.
   */
  abstract removeRange(view: string, range: ViewRange): Promise<void>;
  /** Returns the document, or undefined if there is none or only a tombstone. */
  abstract get(view: string, id: string): Promise<ViewDocument | undefined>;
  /** Returns several documents, in the order of `ids`; missing ones are undefined. At most 1,000. */
  abstract getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]>;
  /** Returns documents in the order of an index, strings in binary (UTF-8) order, without tombstones. */
  abstract find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]>;
  /** Returns the index keys of the documents that `find` would return, without reading these. */
  abstract findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]>;
  /**
   * Returns the highest sort value among the documents of a group, without reading these; undefined if there are none.
   */
  abstract highest(view: string, query: ViewGroup): Promise<string | number | undefined>;
  /**
   * How many documents `find` would return without limit or `after`. Can stop counting at a million, and at 10,000 in a
   * range or where the store counts slowly.
   */
  abstract count(view: string, query: ViewCount): Promise<number>;
  /**
   * Returns the positions that the views have passed; empty when new. Written after the documents, in the same store.
   */
  abstract checkpoint(): Promise<Positions>;
  /**
   * Returns the checkpoint, from which this process's writes continue. After another process has made another build
   * live, writes to the live build throw PortError `unavailable` until this is called again.
   */
  abstract resume(): Promise<Positions>;
  /**
   * Moves these positions forward; a position that is absent, or has a lower offset here, does not change. `held`:
   * replaces the held record of each partition that it names.
   */
  abstract saveCheckpoint(positions: Positions, held?: HeldRecords): Promise<void>;
  /** Returns the held records that were saved with checkpoints. */
  abstract heldRecords(): Promise<HeldRecords>;
  /** Yields every document of a view in id order, without tombstones; used to compare two builds. */
  abstract all(view: string): AsyncIterable<ViewDocument>;
}

/**
 * Stores views. Throws PortError: `unavailable`, `corrupt`, `mismatch` (other definitions: rebuild), `in_use`,
 * `closed`.
 */
export abstract class ViewStore {
  /** Returns the build that readers use: always the same object, which reads the new build after a switch. */
  abstract live(): ViewBuild;
  /** Begins a new, empty build while the live one stays in use; abandons an unfinished earlier one first. */
  abstract begin(): Promise<ViewBuild>;
  /** Makes `build` the live one for every reader, then drops the old one. */
  abstract switchTo(build: ViewBuild): Promise<void>;
  abstract close(): Promise<void>;
}
