// Encodes many records in pieces: a run may emit ten thousand events, and other work must not wait for all of them.
import type { Outgoing } from '../log.ts';
import { Turn } from '../../primitives/event-loop/turn.ts';
import { checkTotal, EncodedAhead, encodeOne, type EncodedRecord } from './encoding.ts';

/** Up to this many records, about one or two ordinary runs, are encoded without a pause. */
const unpausedRecordsMax = 8;
/** Reading the clock costs a tenth of encoding a small record. */
const bytesPerClockCheck = 16 * 1024;

export const canEncodeInTurns = (records: readonly Outgoing[]): boolean =>
  records.length > unpausedRecordsMax && records.some(({ isFinal }) => isFinal === true);

/** Encodes records that can still change before it returns. Rejects with PortError `too_large` like `encode`. */
export async function encodeInTurns(
  records: readonly Outgoing[],
  pause = (turn: Turn): Promise<void> => turn.next(),
): Promise<readonly EncodedRecord[]> {
  const snapshot = records.slice();
  const changeable = new Map<number, EncodedRecord>();
  for (let i = 0; i < snapshot.length; i++) {
    const outgoing = snapshot[i];
    if (outgoing !== undefined && outgoing.isFinal !== true) changeable.set(i, encodeOne(copyOf(outgoing)));
  }
  const encodedRecords: EncodedRecord[] = [];
  const turn = new Turn();
  let uncheckedBytes = 0;
  for (const outgoing of snapshot) {
    const encoded = changeable.get(encodedRecords.length) ?? encodeOne(outgoing);
    encodedRecords.push(encoded);
    uncheckedBytes += encoded.bytes;
    if (uncheckedBytes < bytesPerClockCheck) continue;
    uncheckedBytes = 0;
    if (turn.isOver) await pause(turn);
  }
  checkTotal(encodedRecords);
  return encodedRecords;
}

/** See `Writer.encodeAhead`. */
export async function encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]> {
  const encoded = await encodeInTurns(records, (turn) => turn.pauseThenNext());
  return encoded.map((one) => new EncodedAhead(one) as Outgoing as T);
}

const copyOf = (outgoing: Outgoing): Outgoing => ({ ...outgoing, record: { ...outgoing.record } });
