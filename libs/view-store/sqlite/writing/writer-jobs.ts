// The messages between the two threads: jobs, which run in order, and their answers.
import type { PortErrorCode } from '../../../domain/port-error.ts';
import type { ViewDefinition, ViewRange } from '../../view-store.ts';
import type { PackedRows } from './packed-rows.ts';

export interface WriterStart {
  readonly file: string;
  readonly definitions: readonly ViewDefinition[];
}

export type Job =
  /** Runs in one transaction. */
  | { readonly kind: 'put'; readonly build: string; readonly rows: PackedRows }
  /** Runs in one transaction, of at most `limit` documents; the answer is the number of those removed. */
  | {
      readonly kind: 'remove';
      readonly build: string;
      readonly view: string;
      readonly range: ViewRange;
      readonly limit: number;
    }
  /** `positions` and `held` are JSON texts. */
  | { readonly kind: 'checkpoint'; readonly build: string; readonly positions: string; readonly held: string }
  /** The answer is the new build's name. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'switch'; readonly build: string }
  /** Runs in one bounded transaction; the answer is `moreToDrop` if something of the build is left for further jobs. */
  | { readonly kind: 'drop'; readonly build: string }
  /** The last job: the thread ends after it. */
  | { readonly kind: 'close' };

/** The answer if something of a dropped build is left. */
export const moreToDrop = 'more';

export interface JobRequest {
  readonly number: number;
  readonly job: Job;
}

/** Without `code`: a broken invariant instead of a port error. */
export interface Failure {
  readonly code: PortErrorCode | undefined;
  readonly message: string;
}

export interface JobResponse {
  readonly number: number;
  /** The name of a new build, the number of removed documents, or `moreToDrop`; otherwise ''. */
  readonly result: string;
  readonly failure?: Failure;
}
