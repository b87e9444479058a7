// Reads the line of a checkpoint strictly: every other text that means the same is not what was signed.
import { type Checkpoint, checkpointLine, checkpointVersion } from '../../checkpoint.ts';

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';

const checks = {
  version: (value: unknown): boolean => value === checkpointVersion,
  topic: isText,
  partition: isCount,
  count: isCount,
  root: (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  newest: isCount,
  trimmed: isCount,
  previous: isText,
  time: isCount,
  keyId: isText,
} satisfies Record<keyof Checkpoint, (value: unknown) => boolean>;

/** Undefined for a text that is no checkpoint's line. */
export function readCheckpoint(line: string): Checkpoint | undefined {
  try {
    const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const isWhole = Object.entries(checks).every(([name, check]) => check(fields[name]));
    const checkpoint = fields as unknown as Checkpoint;
    return isWhole && checkpointLine(checkpoint) === line ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
