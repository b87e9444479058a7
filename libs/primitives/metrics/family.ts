// Declares a metric's name, meaning and labels: once for serving it and for its documentation, so that both agree.

export interface Family {
  /** Ends with the unit and, for a counter, `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** One sentence. */
  readonly help: string;
  /**
   * By name: every value, or a text on what bounds the values. Never an id, a URL, or anything that a client chooses.
   */
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  /** For a histogram: upper bounds in its unit, ascending. */
  readonly buckets?: readonly number[];
}

/** One value for each label of the family. */
export type Labels = Readonly<Record<string, string>>;
