// The port for transforms: runs a subscription's function on one event, in isolation; its failures are outcomes.
import type { TransformError, TransformOutcome, TransformMetadata } from '../domain/delivery/transform/transform.ts';

/** A transform's text and its subscription. */
export interface TransformText {
  readonly subscriptionId: string;
  /** The owner: workspaces take turns when calls must wait. */
  readonly workspace: string;
  readonly text: string;
}

export interface TransformCall extends TransformText {
  /** As JSON text. */
  readonly event: string;
  readonly metadata: TransformMetadata;
}

/**
 * Runs transforms, which have no network, clock, randomness or timers, and keep no state between calls: the same text
 * and event have the same result, unless a limit is reached.
 */
export abstract class Transformer {
  /** Undefined: the text is a valid function. Always resolves. */
  abstract check(transform: TransformText): Promise<TransformError | undefined>;

  /** Always resolves. The result has passed `readTransformResult`. */
  abstract transform(call: TransformCall): Promise<TransformOutcome>;

  /** Ends every process; calls under way end as failed. */
  abstract close(): Promise<void>;
}
