// Reads the line of a checkpoint strictly: another text with the same meaning is not what was signed.
import { type Checkpoint, checkpointLine, checkpointVersion } from '../../checkpoint.ts';
import { type Fields, isCount, isHash, isText } from '../../fields.ts';

const checks = {
  version: (value: unknown): boolean => value === checkpointVersion,
  topic: isText,
  partition: isCount,
  count: isCount,
  root: isHash,
  newest: isCount,
  trimmed: isCount,
  previous: isText,
  time: isCount,
  keyId: isText,
} satisfies Record<keyof Checkpoint, (value: unknown) => boolean>;

/** Undefined for a text that is not a checkpoint's line. */
export function readCheckpoint(line: string): Checkpoint | undefined {
  try {
    const fields = JSON.parse(line) as Fields;
    const isValid = Object.entries(checks).every(([name, check]) => check(fields[name]));
    const checkpoint = fields as unknown as Checkpoint;
    return isValid && checkpointLine(checkpoint) === line ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
