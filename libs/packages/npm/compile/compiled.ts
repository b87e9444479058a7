// The result of compiling a component.
import type { ComponentError } from '../../../domain/component/messages.ts';
import type { Bundle } from '../../packages.ts';

/** What a compiler process makes of a component. */
export type CompileResult =
  | { readonly kind: 'compiled'; readonly compiled: Bundle }
  /** The code itself is at fault. */
  | { readonly kind: 'refused'; readonly error: ComponentError };
