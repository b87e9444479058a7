// The problem of a configured prop, reported to the user who gave the value.

/** What is wrong with one configured prop; `message` is a whole sentence that names it. */
export interface PropProblem {
  readonly prop: string;
  readonly message: string;
}
