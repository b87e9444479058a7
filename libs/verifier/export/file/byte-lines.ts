// Splits bytes into lines as they arrive, and holds one line and one chunk at a time.

/** Far above the largest record that the log accepts, with all that JSON can add to it. */
export const lineBytesMax = 16 * 1024 * 1024;

const newline = 10;

export interface ByteLine {
  /** The line without its newline. */
  readonly bytes: Buffer;
  /** The number of the line, from 1. */
  readonly number: number;
  /** Whether the line ends with a newline: the last line of a file that was cut off does not. */
  readonly isEnded: boolean;
}

/** Calls `onLine` for each line; throws at a line beyond the bound. */
export async function eachLine(chunks: AsyncIterable<Uint8Array>, onLine: (line: ByteLine) => void): Promise<void> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let number = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const piece = bytes.subarray(start, end);
      number += 1;
      onLine({ bytes: pending.length === 0 ? piece : Buffer.concat([...pending, piece]), number, isEnded: true });
      [pending, pendingBytes, start] = [[], 0, end + 1];
    }
    if (start === bytes.length) continue;
    pending.push(bytes.subarray(start));
    pendingBytes += bytes.length - start;
    if (pendingBytes > lineBytesMax) throw new Error(`line ${number + 1} is longer than ${lineBytesMax} bytes`);
  }
  if (pendingBytes > 0) onLine({ bytes: Buffer.concat(pending), number: number + 1, isEnded: false });
}
