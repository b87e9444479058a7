// Coerces `ts` and `delivery_ts` of an emit, in any form that components use (docs/reference/component-api.md, "Emit")
// to epoch milliseconds, and never throws.
import { dateGetTime, dateParse, isFinite, regExpExec, toNumber } from '../core/primordials.ts';

/** Numbers from here to `secondsMax` are seconds, 1973 to 5138; as milliseconds they would be in early 1970. */
const secondsMin = 1e8;
const secondsMax = 1e11;

const numeric = /^\s*-?\d+(\.\d+)?\s*$/;

function fromNumber(value: number): number | undefined {
  if (!isFinite(value)) return undefined;
  const ms = value >= secondsMin && value < secondsMax ? value * 1000 : value;
  const wholeMs = ms - (ms % 1);
  return wholeMs >= -8.64e15 && wholeMs <= 8.64e15 ? wholeMs : undefined;
}

export function timestamp(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value === 'string') {
    return fromNumber(regExpExec(numeric, value) ? toNumber(value) : dateParse(value));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return fromNumber(dateGetTime(value as Date));
  } catch {
    return undefined;
  }
}
