// How far the file of an export has come, so that an interrupted export continues where it stopped.
import { createReadStream } from 'node:fs';
import { eachLine } from '../../../../libs/verifier/index.ts';
import { usageFailure } from '../../failures/failure.ts';

const readBytes = 1024 * 1024;

export interface ExportProgress {
  /** The export is complete: the file has its last line. */
  readonly isComplete: boolean;
  /** The last cursor; absent: the export starts again. */
  readonly cursor: string | undefined;
  /** Up to the end of the cursor's line: what follows it in the file is written again. */
  readonly bytes: number;
}

/** Throws a Failure if the file is there and is no export. */
export async function progressOf(path: string): Promise<ExportProgress> {
  let progress: ExportProgress = { isComplete: false, cursor: undefined, bytes: 0 };
  let read = 0;
  try {
    await eachLine(createReadStream(path, { highWaterMark: readBytes }), ({ bytes, number, isEnded }) => {
      const isHeader = bytes.subarray(0, 32).toString().startsWith('{"wellspring":"history"');
      if (number === 1 && !isHeader)
        throw usageFailure(`${path} is there and is no export of history.`, 'Name another file.');
      read += bytes.length + 1;
      if (isEnded) progress = progressAt(bytes, read) ?? progress;
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && code !== 'ENOENT') throw usageFailure(`${path} cannot be read: ${message}`);
    if (code === undefined) throw error;
  }
  return progress;
}

const cursorHead = '{"cursor":';
const endHead = '{"records":';

function progressAt(line: Buffer, bytes: number): ExportProgress | undefined {
  const head = line.subarray(0, endHead.length).toString();
  if (head === endHead) return { isComplete: true, cursor: undefined, bytes };
  if (!head.startsWith(cursorHead)) return undefined;
  const { cursor } = JSON.parse(line.toString()) as { readonly cursor: string };
  return { isComplete: false, cursor, bytes };
}
