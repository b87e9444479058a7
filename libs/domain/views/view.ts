// What a view is: data and pure functions from the records of some topics to the documents that queries read.
import type { TopicName } from '../flow.ts';
import type { Json } from '../json.ts';
import type { Millis } from '../message.ts';
import type { RecordOn } from '../messages-of.ts';

/** A view's name and the indexes it may be found by; both are made at start. */
export interface ViewDefinition {
  /** A typical document as JSON text: a store that compresses documents one by one does so against it. */
  readonly sample?: string;
  readonly name: string;
  /**
   * Index name -> top-level fields. All but the last are matched by equality, the last is the sort field; ties are
   * broken by id. A field holds one type only (string or finite number) and stands in every document of the view.
   */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Raised when the same records make other documents than before, so that a store fills the views anew. */
  readonly revision?: number;
}

export type ViewValue = { readonly [name: string]: Json };

/** Documents that an index finds by these values, one for each of its fields but the last: all, or those of a range. */
export interface ViewRemoval {
  readonly index: string;
  readonly equals: readonly string[];
  /** Of the last field: from here on, and below here. */
  readonly from?: string;
  readonly to?: string;
  /** Nothing is to be left of them, however many they are. */
  readonly isMany?: boolean;
}

/** Fed by the topics `T`, with documents `V`. */
export interface View<T extends TopicName = TopicName, V extends ViewValue = ViewValue> {
  readonly definition: ViewDefinition;
  /** What feeds it. One document is fed by one partition of one of these only: the record's offset is its version. */
  readonly topics: readonly T[];
  /** The document that a record is about; undefined: the record does not matter here. */
  idOf(record: RecordOn<T>): string | undefined;
  /** Whether `evolve` must be given the document as it stands; false: the record alone makes it. */
  needsCurrent(record: RecordOn<T>): boolean;
  /** Documents that go with what the record says is gone; undefined: none. One that a later record of its topic makes stays. */
  removes?(record: RecordOn<T>): ViewRemoval | undefined;
  /** The document after the record; undefined: there is none. `current` is given to who needs it only. Key order is part of the answer: builds are byte-equal. */
  evolve(current: V | undefined, record: RecordOn<T>): V | undefined;
  /** Documents pass with their time, which never changes; absent: they stay. */
  readonly passing?: Passing<V>;
}

/** A document goes by the time of its event or run, and never by what is recorded about it later: so views made anew equal the live ones. */
export interface Passing<V extends ViewValue = ViewValue> {
  /** Of one field, which stands for the time. */
  readonly index: string;
  /** The lowest value of that field of a document of this time or a later one. */
  placeOf(at: Millis): string | number;
  valueOf(document: V): string | number;
  timeOf(document: V): Millis;
}

/** Record data as a view holds it: it was JSON on the log, which the message types do not say. */
export const asJson = (data: unknown): Json => data as Json;
