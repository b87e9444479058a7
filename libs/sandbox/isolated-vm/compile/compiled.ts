// What compiling gives.
import type { ComponentError } from '../../../domain/component/messages.ts';

export interface Compiled {
  readonly js: string;
  /** JSON text of a version 3 source map. */
  readonly map: string;
}

/** What a compiler process makes of a component. */
export type CompileResult =
  | { readonly kind: 'compiled'; readonly compiled: Compiled }
  /** The code's own fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError };
