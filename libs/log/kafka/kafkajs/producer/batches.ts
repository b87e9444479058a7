// Splits records into sends: Kafka takes one batch for each partition and send, and none above max.message.bytes.
import type { Outbound } from './outbound.ts';
import { limits } from '../../kafka-limits.ts';

/** A record and the index of its offset in the answer. */
export interface Numbered {
  readonly row: Outbound;
  readonly index: number;
}

/** Splits the rows into sends, in order within each partition; usually there is one send. */
export function sendsOf(rows: readonly Outbound[], batchBytesMax: number = limits.batchBytes): readonly Numbered[][] {
  const sends: Numbered[][] = [];
  const filled = new Map<string, { send: number; bytes: number }>();
  for (const [index, row] of rows.entries()) {
    const place = `${row.topic}/${row.partition}`;
    const last = filled.get(place) ?? { send: 0, bytes: 0 };
    const fits = last.bytes === 0 || last.bytes + row.bytes <= batchBytesMax;
    const next = fits ? { send: last.send, bytes: last.bytes + row.bytes } : { send: last.send + 1, bytes: row.bytes };
    filled.set(place, next);
    (sends[next.send] ??= []).push({ row, index });
  }
  return sends;
}
