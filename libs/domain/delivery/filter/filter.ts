// What a filter is once it is read: for each field of an event, what it may be. In the form of Amazon EventBridge's patterns.

export type Scalar = string | number | boolean | null;
export type Test = (value: Scalar) => boolean;

/** A field matches if any of these does; of a list, any of its values. */
export interface FieldTest {
  readonly literals: ReadonlySet<Scalar>;
  readonly tests: readonly Test[];
  /** Whether it is enough that the event has the field ... */
  readonly ifThere: boolean;
  /** ... or that it has not. */
  readonly ifAbsent: boolean;
}

export interface WantedField {
  readonly name: string;
  /** JSON pointer to it, in the filter and in the event. */
  readonly at: string;
  readonly wanted: Filter | FieldTest;
}

/** An object matches if each of the fields does, and one of `anyOf`. */
export interface Filter {
  readonly at: string;
  readonly fields: readonly WantedField[];
  /** Undefined: it has no `$or`. */
  readonly anyOf: readonly Filter[] | undefined;
}

export const isFilter = (wanted: Filter | FieldTest): wanted is Filter => 'fields' in wanted;

/** Of its JSON text: each change of a filter is a record, in each partition of its sources. */
export const filterBytesMax = 16 * 1024;
/** Values and tests together: each may have to be tried on each value of an event. */
export const filterTestsMax = 256;
/** Objects within objects; events that mean something to people have few levels. */
export const filterDepthMax = 16;

/** The JSON pointer to a member (RFC 6901). */
export const memberOf = (at: string, name: string | number): string =>
  `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
