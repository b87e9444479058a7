// The view store port: documents for queries, put if newer, found by declared indexes, rebuilt beside the live ones.
import type { ViewDefinition, ViewValue } from '../domain/views/view.ts';
import type { Positions } from '../log/log.ts';

export type { ViewDefinition, ViewValue };

/** `version` is the offset of the record it was made from; `value` undefined is a tombstone, kept until the next rebuild. */
export interface ViewWrite {
  readonly view: string;
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue | undefined;
  /** No earlier version is known, so a store may try an insert first. Only a hint: a wrong one costs only time. */
  readonly isNew?: boolean;
}

export interface ViewDocument {
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue;
}

/** Where a document stands in an index. */
export interface ViewPlace {
  readonly sort: string | number;
  readonly id: string;
}

export interface ViewQuery {
  readonly index: string;
  /** One value for each field of the index but the last, in order. */
  readonly equals: readonly (string | number)[];
  readonly order: 'ascending' | 'descending';
  /** Goes on after the document with this sort value and id (keyset; exclusive). */
  readonly after?: ViewPlace;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** All documents that an index finds by these values. */
export type ViewGroup = Pick<ViewQuery, 'index' | 'equals'>;

/** Counts all that an index finds by these values, or only sort values `from` (inclusive) to `to` (exclusive). */
export interface ViewCount extends ViewGroup {
  readonly from?: string | number;
  readonly to?: string | number;
}

/** Documents that `find` gives, with sort values `from` (inclusive) to `to` (exclusive); absent: no bound. */
export interface ViewRange extends ViewGroup {
  readonly from?: string | number;
  readonly to?: string | number;
  /** Documents of this version or a higher one stay. */
  readonly belowVersion: number;
  /**
   * `tombstones`: a later put of the same or a lower version stays hidden. `nothing`: such a put is visible again.
   * `fading`: it stays hidden for as long as a process that was taken over may still send it: a day where several
   * processes write, no time where only one does.
   */
  readonly leaves: 'tombstones' | 'fading' | 'nothing';
}

/** One generation of all views. Once replaced or given up, its own methods throw PortError `closed`. */
export abstract class ViewBuild {
  abstract readonly name: string;
  /**
   * Writes each document unless the build holds the same or a higher version, tombstones included. Takes any order,
   * repetition and number. Throws a plain Error, and writes nothing, when a document has no text or finite number in an
   * indexed field. After a PortError some may be written: put the same again.
   */
  abstract put(writes: readonly ViewWrite[]): Promise<void>;
  /** Removes a range of documents in steps; idempotent. After a PortError some may be gone: remove the range again. */
  abstract removeRange(view: string, range: ViewRange): Promise<void>;
  /** The document, or undefined when there is none or only a tombstone. */
  abstract get(view: string, id: string): Promise<ViewDocument | undefined>;
  /** Several at once, in the order of `ids`; missing ones are undefined. At most 1,000. */
  abstract getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]>;
  /** By index, strings in binary (UTF-8) order; tombstones are left out. */
  abstract find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]>;
  /** Where the documents stand that `find` would give, none of which is read. */
  abstract places(view: string, query: ViewQuery): Promise<readonly ViewPlace[]>;
  /** The highest sort value among the documents that an index finds, none of which is read; undefined: there are none. */
  abstract highest(view: string, query: ViewGroup): Promise<string | number | undefined>;
  /**
   * How many documents `find` would give without limit or `after`. May stop counting at a million, and at 10,000 in a range
   * or where the store counts slowly.
   */
  abstract count(view: string, query: ViewCount): Promise<number>;
  /** The positions that the views have passed; empty when new. Written after the documents, in the same store. */
  abstract checkpoint(): Promise<Positions>;
  /**
   * The checkpoint, from which this process's writes continue. When another process makes another build the live one,
   * writes to the live build throw PortError `unavailable` until this is called again.
   */
  abstract resume(): Promise<Positions>;
  /** Moves these positions forward; a position not named here, or named with a lower offset, stays as it is. */
  abstract saveCheckpoint(positions: Positions): Promise<void>;
  /** Every document of a view in id order, tombstones left out; used to compare two builds. */
  abstract all(view: string): AsyncIterable<ViewDocument>;
}

/** Throws PortError: `unavailable`, `corrupt`, `mismatch` (made with other definitions: rebuild), `in_use`, `closed`. */
export abstract class ViewStore {
  /** The build that readers use: always the same object, which reads the new build after a switch. */
  abstract live(): ViewBuild;
  /** Begins a new, empty build beside the live one; gives up an unfinished earlier one first. */
  abstract begin(): Promise<ViewBuild>;
  /** Makes `build` the live one for every reader, then drops the old one. */
  abstract switchTo(build: ViewBuild): Promise<void>;
  abstract close(): Promise<void>;
}
