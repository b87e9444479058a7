// The output of a component's run besides its events: console lines, requests and the error.

/** One line of a component's console, or of its error. */
export interface ConsoleLine {
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly at: number;
}

/** An HTTP request of a component, without path and query, which may hold secrets. */
export interface ComponentRequest {
  readonly method: string;
  /** With the port unless it is the scheme's default. */
  readonly host: string;
  /** Null: there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** The requests of one run: `count` has all of them, with each redirect as one more, `list` the first ones. */
export interface ComponentRequests {
  readonly count: number;
  readonly list: readonly ComponentRequest[];
}

/** An error of a component: `line` and `column` are in the deployed source text, from 1. */
export interface ComponentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
}
