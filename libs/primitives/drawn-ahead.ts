// Random bytes that are drawn ahead: a draw of a few costs nearly as much as one of thousands, and every request needs some.

export type Draw = (count: number) => Buffer;

const aheadBytes = 4_096;
/** Larger ones are rare, and would empty what is ahead. */
const largestBytes = 64;

/** No byte is given twice, nor kept once it is given. */
export function drawnAhead(draw: Draw): Draw {
  let ahead: Buffer = Buffer.alloc(0);
  let used = 0;
  return (count) => {
    if (count > largestBytes) return draw(count);
    if (used + count > ahead.length) {
      ahead = draw(aheadBytes);
      used = 0;
    }
    const given = Buffer.alloc(count);
    ahead.copy(given, 0, used, used + count);
    ahead.fill(0, used, used + count);
    used += count;
    return given;
  };
}
