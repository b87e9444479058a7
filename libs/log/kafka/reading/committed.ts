// Which of the fetched records are committed: kafkajs' own filter lets aborted ones through when transactions interleave.
import type { AbortedTransaction, RawMessage } from '../client/protocol.ts';

/** Of a control record's key: two bytes of version, two of type. */
const controlTypeAt = 2;
const abortMarker = 0;

/**
 * Data records in order, without those of aborted transactions. The broker lists these in the order in which they ended,
 * and several producers may have been at it at once: so they are opened by their first offset, and each is closed by its
 * own producer's abort marker.
 */
export function committedOf(
  messages: readonly RawMessage[],
  aborted: readonly AbortedTransaction[] | null,
): readonly RawMessage[] {
  const coming = (aborted ?? [])
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset);
  const open = new Set<string>();
  let begun = 0;
  return messages.filter((message) => {
    const offset = Number(message.offset);
    for (let next = coming[begun]; next !== undefined && next.firstOffset <= offset; next = coming[++begun])
      open.add(next.producerId);
    const { producerId, inTransaction } = message.batchContext;
    if (!message.isControlRecord) return !(inTransaction && open.has(producerId));
    if (message.key?.readInt16BE(controlTypeAt) === abortMarker) open.delete(producerId);
    return false;
  });
}

/** The offset after the batch that the record is in the last of: compaction may have taken records at its end. */
export function offsetAfter({ offset, batchContext: { firstOffset, lastOffsetDelta } }: RawMessage): number {
  return Math.max(Number(offset), Number(firstOffset) + lastOffsetDelta) + 1;
}
