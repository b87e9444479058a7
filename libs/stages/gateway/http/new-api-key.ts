// The text of an API key, and the part of it that is shown.
import { hkdfSync } from 'node:crypto';
import { randomBase62 } from '../random-text.ts';

/** 238 bits. */
const keyChars = 40;
const keyPattern = new RegExp(`^pd_[0-9A-Za-z]{${keyChars}}$`);
/** Of the key itself; the other 214 bits stay unknown. */
const hintChars = 'pd_'.length + 4;

export const isApiKey = (text: string): boolean => keyPattern.test(text);

export const hintOf = (key: string): string => key.slice(0, hintChars);

export const randomApiKey = (randomBytes: (count: number) => Buffer): string =>
  `pd_${randomBase62({ randomBytes }, keyChars)}`;

/**
 * The same for the same request, since only the key's hash is on the log and a repeat must be answered with the key
 * again. Anyone who does not have the workspace's data key cannot compute it.
 */
export function derivedApiKey(dataKey: Buffer, workspace: string, idempotencyKey: string): string {
  let part = 0;
  return randomApiKey((count) => {
    const info = JSON.stringify(['api key', workspace, idempotencyKey, part++]);
    return Buffer.from(hkdfSync('sha256', dataKey, '', info, count));
  });
}
