// A problem with a configured prop, for whoever gave its value.

/** What is wrong with one configured prop; `message` is a whole sentence that names it. */
export interface PropProblem {
  readonly prop: string;
  readonly message: string;
}
