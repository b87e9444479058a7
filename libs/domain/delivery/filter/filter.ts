// The parsed form of a filter: for each field of an event, the values that match, as in Amazon EventBridge's patterns.

export type Scalar = string | number | boolean | null;
export type Test = (value: Scalar) => boolean;

/** A field matches if one of these matches; a list matches if one of its values does. */
export interface FieldTest {
  readonly literals: ReadonlySet<Scalar>;
  readonly tests: readonly Test[];
  /** Whether every value matches: the event need only have the field. */
  readonly ifPresent: boolean;
  /** Whether an event without the field matches. */
  readonly ifAbsent: boolean;
}

export interface FieldPattern {
  readonly name: string;
  /** The JSON pointer to the field in the filter and, outside `$or`, in the event. */
  readonly at: string;
  readonly pattern: Filter | FieldTest;
}

/** An object matches if each of the fields does, and one of `anyOf`. */
export interface Filter {
  readonly at: string;
  readonly fields: readonly FieldPattern[];
  /** Undefined: it has no `$or`. */
  readonly anyOf: readonly Filter[] | undefined;
}

export const isFilter = (pattern: Filter | FieldTest): pattern is Filter => 'fields' in pattern;

/** The size of its JSON text: each change of a filter is a record in each partition of its sources. */
export const filterBytesMax = 16 * 1024;
/** The most values and tests together: each might be tried on each value of an event. */
export const filterTestsMax = 256;
/** The most levels of nested objects; real events have few. */
export const filterDepthMax = 16;

/** The JSON pointer to a member (RFC 6901). */
export const memberOf = (at: string, name: string | number): string =>
  `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
