// Makes the texts in a batch of the append benches, for the log and for the bare side.
import { randomBytes } from 'node:crypto';

export const recordsPerBatch = 100;
const recordBytes = 1024;

/** Random base64 (four characters for three bytes), so that compression saves little. */
export const batchTexts = (): readonly string[] =>
  Array.from({ length: recordsPerBatch }, () => randomBytes((recordBytes / 4) * 3).toString('base64'));
