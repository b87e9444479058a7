// Cuts fetched messages into pages within their bounds.
import { bytesOf } from '../encoding/cloud-event.ts';
import type { RawMessage } from '../kafkajs/kafka-protocol.ts';
import type { PageBounds } from '../../log.ts';

export interface RawPage {
  readonly messages: readonly RawMessage[];
  /** The messages that did not fit. */
  readonly remainder: readonly RawMessage[];
  /** The offset to read next: where the rest begins, or the end when nothing is left. */
  readonly next: number;
  /** The offset to read after the rest. */
  readonly end: number;
}

/** About how many bytes the messages take in memory. */
export function bytesOfAll(messages: readonly RawMessage[]): number {
  return messages.reduce((sum, message) => sum + bytesOf(message), 0);
}

/** A page of at least one message if there is one; `next` is the offset to read next when everything fits. */
export function cutPage(messages: readonly RawMessage[], next: number, bounds: PageBounds): RawPage {
  const to = bounds.to ?? Infinity;
  let bytes = 0;
  let count = 0;
  for (const message of messages) {
    if (count >= bounds.recordsMax || Number(message.offset) >= to) break;
    bytes += bytesOf(message);
    if (count > 0 && bytes > bounds.bytesMax) break;
    count++;
  }
  const remainder = messages.slice(count);
  const nextOffset = remainder[0] === undefined ? next : Number(remainder[0].offset);
  return { messages: messages.slice(0, count), remainder, next: Math.min(nextOffset, to), end: next };
}
