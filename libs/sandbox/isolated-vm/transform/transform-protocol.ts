// The messages between delivery's process and a process of transforms: one call, then one answer.
import type { TransformOutcome } from '../../../domain/delivery/transform/transform.ts';

export interface ToTransforms {
  /** Identifies the subscription and its text. */
  readonly key: string;
  /** Absent: the process already has it. */
  readonly text?: string;
  /** JSON texts; absent: the transform is only compiled. */
  readonly on?: { readonly event: string; readonly metadata: string };
}

export type FromTransforms =
  | { readonly type: 'ready' }
  /** The process no longer has the text: the call must be sent again, with it. */
  | { readonly type: 'missing' }
  | {
      readonly type: 'done';
      readonly result: TransformOutcome | { readonly kind: 'compiled' };
      /** Processor time of the call. */
      readonly cpuMs: number;
    };
