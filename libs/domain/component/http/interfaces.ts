// The settings of a source's interfaces that take requests or app events from outside.

/** What the HTTP endpoint of a source must know. */
export interface HttpInterface {
  readonly customResponse: boolean;
}

/** The names of the app's events that the source takes; null: all. */
export interface ApphookInterface {
  readonly eventNames: readonly string[] | null;
}
