// The view store port: documents that queries read, put if newer, found by declared indexes, built anew beside the live ones.
import type { ViewDefinition, ViewValue } from '../domain/views/view.ts';
import type { Positions } from '../log/log.ts';

export type { ViewDefinition, ViewValue };

/** `version` is the offset of the record it was made from; `value` undefined is a tombstone, kept until the next rebuild. */
export interface ViewWrite {
  readonly view: string;
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue | undefined;
  /** Nothing is known of one before it, so a store may try to insert it first. A hint: wrong, it costs time alone. */
  readonly isNew?: boolean;
}

export interface ViewDocument {
  readonly id: string;
  readonly version: number;
  readonly value: ViewValue;
}

export interface ViewQuery {
  readonly index: string;
  /** One value for each field of the index but the last, in order. */
  readonly equals: readonly (string | number)[];
  readonly order: 'ascending' | 'descending';
  /** Goes on after the document with this sort value and id (keyset; exclusive). */
  readonly after?: { readonly sort: string | number; readonly id: string };
  /** 1 to 1,000. */
  readonly limit: number;
}

/** What is counted: all that an index finds by these values, or of those what has its sort value in `from` (inclusive) to `to` (exclusive). */
export interface ViewCount extends Pick<ViewQuery, 'index' | 'equals'> {
  readonly from?: string | number;
  readonly to?: string | number;
}

/** Documents by index, as `find` finds them, whose sort value is in `from` (inclusive) to `to` (exclusive); absent: open there. */
export interface ViewRange extends Pick<ViewQuery, 'index' | 'equals'> {
  readonly from?: string | number;
  readonly to?: string | number;
  /** Documents of this version or a higher one stay. */
  readonly belowVersion: number;
  /** `tombstones`: what is put again of the same or a lower version stays hidden. `nothing`: it would stand again. */
  readonly leaves: 'tombstones' | 'nothing';
}

/** One generation of all views. Once replaced or given up, its own methods throw PortError `closed`. */
export abstract class ViewBuild {
  abstract readonly name: string;
  /**
   * Writes each document unless one with the same or a higher version stands there, tombstones included. Any order, any
   * repetition, any number. A document without a text or finite number in an indexed field is a plain Error, and then
   * nothing is written; after a PortError a part may be: put the same again.
   */
  abstract put(writes: readonly ViewWrite[]): Promise<void>;
  /** Removes a range of documents, in steps; repeating it changes nothing. After a PortError a part may be gone: remove it again. */
  abstract removeRange(view: string, range: ViewRange): Promise<void>;
  /** The document, or undefined when there is none or only a tombstone. */
  abstract get(view: string, id: string): Promise<ViewDocument | undefined>;
  /** Several at once, in the order of `ids`; missing ones are undefined. At most 1,000. */
  abstract getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]>;
  /** By index, strings in binary (UTF-8) order; tombstones are left out. */
  abstract find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]>;
  /** How many documents `find` would give without a limit; `after` and `order` do not matter. A store may stop at a million, in a range at 10,000. */
  abstract count(view: string, query: ViewCount): Promise<number>;
  /** The positions that the views have passed; empty when new. Written after the documents, in the same store. */
  abstract checkpoint(): Promise<Positions>;
  /** Moves these positions forward: one not named, or named with a lower offset than stands, is left as it is. */
  abstract saveCheckpoint(positions: Positions): Promise<void>;
  /** Every document of a view in id order, tombstones left out: what two builds are compared by. */
  abstract all(view: string): AsyncIterable<ViewDocument>;
}

/** Throws PortError: `unavailable`, `corrupt`, `mismatch` (made with other definitions: rebuild), `in_use`, `closed`. */
export abstract class ViewStore {
  /** What readers use now: one object for ever, which reads the new build after a switch. */
  abstract live(): ViewBuild;
  /** A new, empty build beside the live one; one begun before and left over is given up first. */
  abstract begin(): Promise<ViewBuild>;
  /** Makes `build` the live one for every reader, then drops the old one. */
  abstract switchTo(build: ViewBuild): Promise<void>;
  abstract close(): Promise<void>;
}
