// What the two threads exchange: jobs, carried out in order, and their answers.
import type { PortErrorCode } from '../../../domain/port-error.ts';
import type { ViewDefinition, ViewRange } from '../../view-store.ts';
import type { PackedRows } from './rows.ts';

export interface WriterStart {
  readonly file: string;
  readonly definitions: readonly ViewDefinition[];
}

export type Job =
  /** One transaction. */
  | { readonly kind: 'put'; readonly build: string; readonly rows: PackedRows }
  /** One transaction, of at most `limit` documents; answers how many it removed. */
  | {
      readonly kind: 'remove';
      readonly build: string;
      readonly view: string;
      readonly range: ViewRange;
      readonly limit: number;
    }
  /** `positions` is JSON text. */
  | { readonly kind: 'checkpoint'; readonly build: string; readonly positions: string }
  /** Answers the new build's name. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'switch'; readonly build: string }
  /** One bounded transaction; answers `more` if something of the build is left, to be dropped by further jobs. */
  | { readonly kind: 'drop'; readonly build: string }
  /** The last one: the thread ends after it. */
  | { readonly kind: 'close' };

/** Of a build that is being dropped. */
export const more = 'more';

export interface Asked {
  readonly number: number;
  readonly job: Job;
}

/** `code` undefined: a broken invariant instead of a port error. */
export interface Failure {
  readonly code: PortErrorCode | undefined;
  readonly message: string;
}

export interface Answer {
  readonly number: number;
  /** The name of a new build, the number of removed documents, or `more`, else ''. */
  readonly result: string;
  readonly failure?: Failure;
}
