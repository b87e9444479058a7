// Filters out fetched records of aborted transactions: the filter of kafkajs lets some through when they interleave.
import type { AbortedTransaction, RawMessage } from './kafka-protocol.ts';

/** A control record's key has two bytes of version, then two of type. */
const controlTypeAt = 2;
const abortMarker = 0;

/**
 * Data records in order, without those of aborted transactions. The broker lists aborted transactions in the order in
 * which they ended, and those of several producers may overlap. So each is opened at its first offset and closed by its
 * own producer's abort marker.
 */
export function committedMessagesOf(
  messages: readonly RawMessage[],
  aborted: readonly AbortedTransaction[] | null,
): readonly RawMessage[] {
  const abortedInOrder = (aborted ?? [])
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset);
  const openAborted = new Set<string>();
  let nextIndex = 0;
  return messages.filter((message) => {
    const offset = Number(message.offset);
    for (
      let next = abortedInOrder[nextIndex];
      next !== undefined && next.firstOffset <= offset;
      next = abortedInOrder[++nextIndex]
    )
      openAborted.add(next.producerId);
    const { producerId, inTransaction } = message.batchContext;
    if (!message.isControlRecord) return !(inTransaction && openAborted.has(producerId));
    if (message.key?.readInt16BE(controlTypeAt) === abortMarker) openAborted.delete(producerId);
    return false;
  });
}

/** The offset after the batch whose last message this is: compaction may have removed records at the batch's end. */
export function offsetAfter({ offset, batchContext: { firstOffset, lastOffsetDelta } }: RawMessage): number {
  return Math.max(Number(offset), Number(firstOffset) + lastOffsetDelta) + 1;
}
