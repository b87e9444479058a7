// What delivery's process and a process of transforms send each other: one call, then one answer.
import type { Transformed } from '../../../domain/delivery/transform/transform.ts';

export interface ToTransforms {
  /** Names the subscription and its text. */
  readonly key: string;
  /** Absent: the process has it already. */
  readonly text?: string;
  /** JSON texts; absent: it is only compiled. */
  readonly on?: { readonly event: string; readonly metadata: string };
}

export type FromTransforms =
  | { readonly type: 'ready' }
  /** The text is not here any more: the call must come again, with it. */
  | { readonly type: 'missing' }
  | {
      readonly type: 'done';
      readonly result: Transformed | { readonly kind: 'compiled' };
      /** Processor time of the call. */
      readonly cpuMs: number;
    };
