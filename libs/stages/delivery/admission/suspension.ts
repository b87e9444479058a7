// Retries that become due while nothing is sent to their webhook: they wait without a timer until sending continues.
import type { OpenDelivery } from '../../../domain/delivery/messages.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';

/** Suspends a retry that is due until sending to its webhook continues. */
export function suspend(cursor: SourceCursor, offset: number): void {
  if (cursor.subscription.closed) return;
  cursor.suspended ??= new Set();
  cursor.suspended.add(offset);
}

/** Removes the suspended deliveries from the cursor, and returns those that are still open. */
export function takeSuspended(cursor: SourceCursor): readonly OpenDelivery[] {
  const offsets = [...(cursor.suspended ?? [])];
  cursor.suspended = undefined;
  cursor.retries.noteResumed(offsets);
  return offsets.flatMap((offset) => cursor.openAt(offset) ?? []);
}
