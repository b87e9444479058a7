// The secret parts of a header: those who repeat a header seldom repeat the whole of it.

/** Headers about the form of a message. The value of any other header might be a key. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'user-agent',
]);

/** Whether the value of a header with this name (case-insensitive) might be a key. */
export const mayBeSecret = (name: string): boolean => !harmlessHeaders.has(name.toLowerCase());

/** The value, its token, its password and each of its cookies. `name` is in lower case. */
export function headerSecrets(name: string, value: string): string[] {
  if (name === 'cookie') return [value, ...value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())];
  const [scheme, token = ''] = value.split(/\s+(.*)/s);
  if (scheme?.toLowerCase() !== 'basic') return [value, token];
  const pair = Buffer.from(token, 'base64').toString('utf8');
  return [value, token, pair, pair.slice(pair.indexOf(':') + 1)];
}
