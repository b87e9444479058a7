// What a component's code leaves behind when it runs, beside its events: the lines of its console, its requests, its error.

/** One line of a component's console, or of its error. */
export interface ConsoleLine {
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly at: number;
}

/** An HTTP request of a component. Neither path nor query: secrets stand there. */
export interface ComponentRequest {
  readonly method: string;
  /** With its port where that is not the scheme's own. */
  readonly host: string;
  /** Null when nothing was answered. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** Of one run, redirects counted each; the list has the first of them. */
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
