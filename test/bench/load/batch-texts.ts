// What a batch of the append benches holds, for us and for the bare limit alike.
import { randomBytes } from 'node:crypto';

export const recordsPerBatch = 100;
const recordBytes = 1024;

/** Base64 holds three bytes in four: each its own, so that compression finds little. */
export const batchTexts = (): readonly string[] =>
  Array.from({ length: recordsPerBatch }, () => randomBytes((recordBytes / 4) * 3).toString('base64'));
