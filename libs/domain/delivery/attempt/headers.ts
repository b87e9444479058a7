// Checks the headers that a webhook's owner adds to each attempt.

/** The most headers: far more than any receiver requires. */
export const headersMax = 20;
const nameCharsMax = 100;
/** A token of several claims fits. */
const valueCharsMax = 4_096;

/** Headers of the service itself, hop-by-hop headers (RFC 9110, 7.6.1), and those that undici refuses. */
const reservedPrefix = /^(webhook|x-pd|x-wellspring|proxy)-/;
const reserved: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && name.length <= nameCharsMax;
/** Visible ASCII, with spaces and tabs inside. */
const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= valueCharsMax && /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);

/** Why these cannot be sent, without quoting a value; undefined: they can. */
export function headersProblem(headers: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(headers);
  if (names.length > headersMax) return `must not be more than ${headersMax}`;
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!isToken(name)) return `must have names of at most ${nameCharsMax} letters, digits and -, _ or .`;
    if (reservedPrefix.test(lower) || reserved.has(lower))
      return `must not name ${lower}, which the service sends itself`;
    if (seen.has(lower)) return `must not name ${lower} twice`;
    if (!isValue(headers[name])) return `must have for ${lower} 1 to ${valueCharsMax} visible ASCII characters`;
    seen.add(lower);
  }
  return undefined;
}
