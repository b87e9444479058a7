// The result of compiling a component.
import type { ComponentError } from '../../../domain/component/messages.ts';
import type { Code } from '../protocol.ts';

/** What a compiler process makes of a component. */
export type CompileResult =
  | { readonly kind: 'compiled'; readonly compiled: Code }
  /** The code itself is at fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError };
