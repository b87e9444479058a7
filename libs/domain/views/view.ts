// The interface of a view: data and pure functions from the records of some topics to the documents that queries read.
import type { TopicName } from '../flow.ts';
import type { Json } from '../json.ts';
import type { Millis } from '../message.ts';
import type { RecordOn } from '../messages-of.ts';

/** A view's name and its indexes, which stores create at start. */
export interface ViewDefinition {
  /** A typical document as JSON text: a store that compresses documents one by one does so against it. */
  readonly sample?: string;
  readonly name: string;
  /**
   * Index name -> top-level fields. All but the last are matched by equality, the last is the sort field; ties are
   * broken by id. A field holds one type only (string or finite number) and stands in every document of the view.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Indexes in which no two documents ever have the same values, so that there are no ties. */
  readonly unique?: readonly string[];
  /** Raised when the same records make different documents than before, so that a store rebuilds the views. */
  readonly revision?: number;
}

export type ViewValue = { readonly [name: string]: Json };

/** Documents to remove: those an index finds by a value for each field but the last, all or within a range. */
export interface ViewRemoval {
  readonly index: string;
  readonly equals: readonly string[];
  /** Range of the last field: `from` inclusive, `to` exclusive. */
  readonly from?: string;
  readonly to?: string;
  /** There may be many, and nothing of them may be left. */
  readonly isMany?: boolean;
}

/** Fed by the topics `T`, with documents `V`. */
export interface View<T extends TopicName = TopicName, V extends ViewValue = ViewValue> {
  readonly definition: ViewDefinition;
  /** The topics that feed the view. One partition of one topic feeds a document: a record's offset is its version. */
  readonly topics: readonly T[];
  /** Id of the document that a record is about; undefined: the record is irrelevant to this view. */
  idOf(record: RecordOn<T>): string | undefined;
  /** Whether `evolve` needs the current document; false: the record alone makes it. */
  needsCurrent(record: RecordOn<T>): boolean;
  /** Documents that the record deletes; undefined: none. Documents made by later records of its topic stay. */
  removes?(record: RecordOn<T>): ViewRemoval | undefined;
  /** The document after the record, or undefined. `current` is passed if needed. Key order counts: builds are byte-equal. */
  evolve(current: V | undefined, record: RecordOn<T>): V | undefined;
  /** How documents expire, by a time that never changes; absent: they stay. */
  readonly expiry?: Expiry<V>;
}

/** A document expires by the time of its event or run, never by later records: so rebuilt views equal live ones. */
export interface Expiry<V extends ViewValue = ViewValue> {
  /** An index of one field, which represents the time. */
  readonly index: string;
  /** The lowest value of that field in documents of this time or later. */
  fieldValueAt(at: Millis): string | number;
  valueOf(document: V): string | number;
  timeOf(document: V): Millis;
}

/** Record data as a view holds it: it was JSON on the log, which the message types do not say. */
export const asJson = (data: unknown): Json => data as Json;
