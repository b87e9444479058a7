// Makes the text of an API key, and the part of it that is shown.
import { hkdfSync } from 'node:crypto';
import { base62, randomText } from '../random-text.ts';

/** 238 bits. */
const keyChars = 40;
const keyPattern = new RegExp(`^pd_[0-9A-Za-z]{${keyChars}}$`);
/** Of the key's characters four are shown; the other 214 bits stay unknown. */
const hintChars = 'pd_'.length + 4;

export const isApiKey = (text: string): boolean => keyPattern.test(text);

export const hintOf = (key: string): string => key.slice(0, hintChars);

export const randomApiKey = (randomBytes: (count: number) => Buffer): string =>
  `pd_${randomText({ randomBytes }, base62, keyChars)}`;

/**
 * The same key for the same request, since only its hash is on the log and a repeat must be answered with the key
 * again. Nobody can compute it without the workspace's data key.
 */
export function derivedApiKey(dataKey: Buffer, workspace: string, idempotencyKey: string): string {
  let part = 0;
  return randomApiKey((count) => {
    const info = JSON.stringify(['api key', workspace, idempotencyKey, part++]);
    return Buffer.from(hkdfSync('sha256', dataKey, '', info, count));
  });
}
