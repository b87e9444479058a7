// Encodes many records in pieces: a run may emit ten thousand events, and other work must not wait for all of them.
import type { Outgoing } from '../log.ts';
import { Turn } from '../../primitives/event-loop/turn.ts';
import { checkTotal, EncodedAhead, encodeOne, type Encoded } from './encoding.ts';

/** Up to this many records, about one or two ordinary runs, are encoded without a pause. */
const atOnceMax = 8;
/** Reading the clock costs a tenth of encoding a small record. */
const bytesPerLook = 16 * 1024;

export const canWait = (records: readonly Outgoing[]): boolean =>
  records.length > atOnceMax && records.some(({ isFinal }) => isFinal === true);

/** Encodes records that can still change before it returns. Rejects with PortError `too_large` like `encode`. */
export async function encodeInTurns(
  records: readonly Outgoing[],
  pause = (turn: Turn): Promise<void> => turn.next(),
): Promise<readonly Encoded[]> {
  const given = records.slice();
  const changeable = new Map<number, Encoded>();
  for (let i = 0; i < given.length; i++) {
    const one = given[i];
    if (one !== undefined && one.isFinal !== true) changeable.set(i, encodeOne(copied(one)));
  }
  const done: Encoded[] = [];
  const turn = new Turn();
  let unlookedBytes = 0;
  for (const one of given) {
    const encoded = changeable.get(done.length) ?? encodeOne(one);
    done.push(encoded);
    unlookedBytes += encoded.bytes;
    if (unlookedBytes < bytesPerLook) continue;
    unlookedBytes = 0;
    if (turn.isOver) await pause(turn);
  }
  checkTotal(done);
  return done;
}

/** See `Writer.encodeAhead`. */
export async function encodeAhead<T extends Outgoing>(records: readonly T[]): Promise<readonly T[]> {
  const encoded = await encodeInTurns(records, (turn) => turn.rest());
  return encoded.map((one) => new EncodedAhead(one) as Outgoing as T);
}

const copied = (one: Outgoing): Outgoing => ({ ...one, record: { ...one.record } });
