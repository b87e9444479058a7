// What is known of the interfaces of a source by which others reach it.

/** What an endpoint has to know of its source. */
export interface HttpInterface {
  readonly customResponse: boolean;
}

/** Which of an app's events it takes; null: all. */
export interface ApphookInterface {
  readonly eventNames: readonly string[] | null;
}
