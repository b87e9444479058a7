// Bounds the size of a run's emits, each and all together, and sorts them into the order of their events.
import type { ComponentError } from '../component/output.ts';
import type { EmitCall } from '../component/emit-call.ts';
import { isNestedTooDeep, jsonDepthMax } from '../json.ts';
import type { Millis } from '../message.ts';
import { sizes } from '../sizes.ts';

/** An event's record without event, id, summary and channel (about 570), and the event's id in the run's record. */
export const recordOverheadBytes = 608;

export interface SizedEmits {
  readonly emits: readonly EmitCall[];
  /** An upper bound of the size of their records as JSON. */
  readonly bytes: number;
  /** Why some emits were left out; undefined: none was. */
  readonly error: ComponentError | undefined;
}

const textBytes = (text: string | number | undefined): number =>
  typeof text === 'string' ? Buffer.byteLength(JSON.stringify(text)) : 0;

/** Accepts emits one by one within the limits of sizes.ts; leaves out others, the first of which `error` names. */
export class EmitSizer implements SizedEmits {
  readonly emits: EmitCall[] = [];
  bytes = 0;
  error: ComponentError | undefined;
  #callCount = 0;

  /** Returns whether the emit is accepted. */
  accept(call: EmitCall): boolean {
    const number = ++this.#callCount;
    if (isNestedTooDeep(call.event)) {
      this.error ??= tooDeep(`Emit ${number} of this run is nested deeper than ${jsonDepthMax} levels.`);
      return false;
    }
    const eventBytes = Buffer.byteLength(JSON.stringify(call.event));
    const labelBytes = textBytes(call.id) + textBytes(call.summary) + textBytes(call.channel);
    const recordBytes = eventBytes + labelBytes + recordOverheadBytes;
    if (eventBytes > sizes.emitBytes || recordBytes > sizes.recordBytes) {
      this.error ??= tooLarge(
        `Emit ${number} of this run has ${eventBytes + labelBytes} bytes; at most ${sizes.emitBytes} are taken.`,
      );
      return false;
    }
    if (this.bytes + recordBytes > sizes.runOutputBytes) {
      this.error ??= tooLarge(
        `All that one run emits may have ${sizes.runOutputBytes} bytes; emit ${number} went above.`,
      );
      return false;
    }
    this.emits.push(call);
    this.bytes += recordBytes;
    return true;
  }
}

export function sizeEmits(calls: readonly EmitCall[]): SizedEmits {
  const sizer = new EmitSizer();
  for (const call of calls) sizer.accept(call);
  return sizer;
}

const tooLarge = (message: string): ComponentError => ({ name: 'EmitTooLargeError', message });

const tooDeep = (message: string): ComponentError => ({ name: 'EmitTooDeepError', message });

/** Sorts by `ts`, oldest first; emits without one count as of `receivedAt`. Equal times keep their order. */
export function orderEmits(emits: readonly EmitCall[], receivedAt: Millis): readonly EmitCall[] {
  if (emits.every((emit) => emit.ts === undefined)) return emits;
  const time = (emit: EmitCall): number => emit.ts ?? receivedAt;
  return emits.toSorted((a, b) => time(a) - time(b));
}
