// The records of lines on `cursors`: how many events of a key wait for another one, and the offset of the first.
import type { CursorEvent } from '../../../../domain/delivery/messages.ts';
import type { MessageOn } from '../../../../domain/messages-of.ts';
import { versionOf } from '../../../../domain/record/record-version.ts';
import type { SourceCursor } from '../source-cursor.ts';
import type { LineState } from '../../order/key-order.ts';

/** The key of a line's record. */
const lineKey = (cursor: string, orderKey: string): string => `${cursor}/key/${orderKey}`;

type KeyWaiting = Extract<CursorEvent, { readonly type: 'KeyWaiting' }>;

/** Changes of lines since the last call; `envelopeOf` completes a record. */
export function lineRecords(
  { key, keyOrder, endedLines, subscription, emitterId }: SourceCursor,
  envelopeOf: (recordKey: string, data: unknown) => Omit<KeyWaiting, 'type' | 'data'>,
): MessageOn<'cursors'>[] {
  const { subscriptionId } = subscription;
  const ended = endedLines.splice(0).map((orderKey) => [orderKey, undefined] as const);
  return Array.from([...ended, ...(keyOrder?.takeChanges() ?? [])], ([orderKey, line]) => {
    const data = line && { subscriptionId, emitterId, orderKey, ...line };
    const type = 'KeyWaiting';
    return { ...envelopeOf(lineKey(key, orderKey), data), version: versionOf({ type, data }), type, data };
  });
}

/** The keys of all records of its lines that may be on the log. */
export const lineRecordKeys = ({ key, keyOrder, endedLines }: SourceCursor): string[] => [
  ...endedLines.splice(0).map((orderKey) => lineKey(key, orderKey)),
  ...Array.from(keyOrder?.lines ?? [], (line) => lineKey(key, line.key)),
  ...Array.from(keyOrder?.takeChanges().keys() ?? [], (orderKey) => lineKey(key, orderKey)),
];

/** The state of a line that its record keeps. */
export const lineState = ({ first, sequence, last, waiting }: LineState): LineState => ({
  first,
  sequence,
  last,
  waiting,
});
