// The port for transforms: runs a subscription's function on one event, apart from everything; its failures are outcomes.
import type { TransformError, Transformed, TransformMetadata } from '../domain/delivery/transform/transform.ts';

/** Whose text it is. */
export interface TransformText {
  readonly subscriptionId: string;
  /** The owner: workspaces take turns when calls must wait. */
  readonly workspace: string;
  readonly text: string;
}

export interface TransformCall extends TransformText {
  /** JSON text. */
  readonly event: string;
  readonly metadata: TransformMetadata;
}

/**
 * A transform has no network, clock, randomness or timers, and keeps nothing from one call to the next: the same text
 * and event give the same result, unless it reaches a limit.
 */
export abstract class Transformer {
  /** Undefined: the text is a function. Always resolves. */
  abstract check(transform: TransformText): Promise<TransformError | undefined>;

  /** Always resolves. The result has passed `judgeTransform`. */
  abstract transform(call: TransformCall): Promise<Transformed>;

  /** Ends every process; calls under way end as failed. */
  abstract close(): Promise<void>;
}
