// Splits records into sends: Kafka takes one batch for each partition and send, and none above max.message.bytes.
import type { OutboundRecord } from './outbound-record.ts';
import { limits } from '../../kafka-limits.ts';

/** A record and the index of its offset in the answer. */
export interface IndexedRow {
  readonly row: OutboundRecord;
  readonly index: number;
}

/** Splits the rows into sends, in order within each partition; usually there is one send. */
export function splitIntoSends(
  rows: readonly OutboundRecord[],
  batchBytesMax: number = limits.batchBytes,
): readonly IndexedRow[][] {
  const sends: IndexedRow[][] = [];
  const lastSends = new Map<string, { send: number; bytes: number }>();
  for (const [index, row] of rows.entries()) {
    const partitionKey = `${row.topic}/${row.partition}`;
    const last = lastSends.get(partitionKey) ?? { send: 0, bytes: 0 };
    const fits = last.bytes === 0 || last.bytes + row.bytes <= batchBytesMax;
    const next = fits ? { send: last.send, bytes: last.bytes + row.bytes } : { send: last.send + 1, bytes: row.bytes };
    lastSends.set(partitionKey, next);
    (sends[next.send] ??= []).push({ row, index });
  }
  return sends;
}
