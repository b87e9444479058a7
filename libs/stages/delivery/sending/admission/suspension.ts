// Retries that become due while nothing is sent to their webhook: they wait without a timer until it is sent to again.
import type { OpenDelivery } from '../../../../domain/delivery/messages.ts';
import type { EmitterCursor } from '../../cursors/emitter-cursor.ts';

/** A retry is due that must wait until something is sent to the webhook again. */
export function suspend(cursor: EmitterCursor, offset: number): void {
  if (cursor.subscription.closed) return;
  cursor.suspended ??= new Set();
  cursor.suspended.add(offset);
}

/** What was suspended and is still to be delivered. */
export function takeSuspended(cursor: EmitterCursor): readonly OpenDelivery[] {
  const offsets = [...(cursor.suspended ?? [])];
  cursor.suspended = undefined;
  return offsets.flatMap((offset) => cursor.openAt(offset) ?? []);
}
