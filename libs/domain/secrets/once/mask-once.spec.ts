import fc from 'fast-check';
import { processorMs } from '../../../primitives/processor-ms.fake.ts';
import { maskOnce } from './mask-once.ts';

const masked = (text: string, secrets: readonly string[], cut = false): string =>
  maskOnce([text], secrets, cut)[0] ?? '';

const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

test.each([
  ['as it is', `token ${secret}!`, 'token [secret]!'],
  ['twice', `${secret}${secret} ${secret}`, '[secret] [secret]'],
  ['in base64', `Basic ${btoa(`user:${secret}`)}`, 'Basic dXNlcjp[secret]w=='],
  ['in lower case', secret.toLowerCase(), '[secret]'],
  ['cut off by the receiver', `${secret.slice(0, 20)}...`, '[secret]...'],
  ['in a URL', `/?key=${encodeURI(secret)}%20&a=%ff`, '/?key=[secret]%20&a=%ff'],
  ['percent-encoded as a whole', [...secret].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''), '[secret]'],
  ['not at all', 'thanks', 'thanks'],
  ['too short to be sought', 'ab abc', 'ab abc'],
])('masks a secret that is there %s', (_how, text, shown) => {
  expect(masked(text, [secret, 'ab'])).toBe(shown);
});

test('finds a whole secret behind what looks like its beginning', () => {
  const tricky = `${'a'.repeat(16)}-rest-of-it`;
  expect(masked(`aaaa${tricky}`, [tricky])).toBe('[secret]');
  expect(masked(`${tricky} aaaa${tricky}, abaaa${tricky}`, [tricky])).toBe('[secret] [secret], ab[secret]');
});

test('leaves nothing of a secret at the end of a text that was cut', () => {
  for (let chars = 1; chars < secret.length; chars++) {
    const shown = masked(`${'.'.repeat(40)}${secret.slice(0, chars)}`, [secret], true);
    expect([chars, shown.replace('[secret]', '').replaceAll('.', '')]).toEqual([chars, '']);
    const encoded = masked(
      `${'.'.repeat(200)}${[...secret.slice(0, chars)].map(() => '%2f').join('')}%2`,
      ['/'.repeat(32)],
      true,
    );
    expect([chars, encoded.replace('[secret]', '').replaceAll('.', '')]).toEqual([chars, '']);
  }
});

test('leaves no whole secret in a text, whatever stands around it', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '%', '"'), minLength: 6, maxLength: 24 });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), texts, (secrets, between) => {
      const shown = masked(secrets.join(between), secrets);
      for (const one of secrets) expect(shown).not.toContain(one);
    }),
  );
});

test('each of several texts is masked by itself, and only the last of them may have been cut', () => {
  const texts = ['x', secret, 'none', `${secret.slice(0, 20)}`, `2 ${secret} ${'.'.repeat(20)}`];
  expect(maskOnce(texts, [secret], true)).toEqual(['x', '[secret]', 'none', '[secret]', '2 [secret] .....']);
});

test('a secret that holds what is put between texts is masked in every text that it reaches into', () => {
  expect(maskOnce(['of the', 'owner', 'of'], ['the\0owner'])).toEqual(['of [secret]', '[secret]', 'of']);
});

test('texts are hidden as a whole when there are more secrets than are looked for', () => {
  const secrets = Array.from({ length: 101 }, (_, n) => `secret ${n}`);
  expect(maskOnce(['', 'nothing of it'], secrets)).toEqual(['', expect.stringMatching(/^\[hidden: .*100 secrets/)]);
});

const headersMax = 15;
const valueChars = 4_096;
/** As many fields as a head of 16 KiB may have. */
const fields = (unit: string): string[] => Array.from({ length: 400 }, () => unit.repeat(30 / unit.length));
const answer = (unit: string): string => unit.repeat(16_384 / unit.length);

test.each([
  ['holds none of them', 'x', (n: number) => `a${String(n).padStart(6, '0')}`.repeat(valueChars / 7)],
  ['is one letter, as they are', 'a', (n: number) => 'a'.repeat(valueChars - n)],
  ['is quotes, as they are', '"', (n: number) => '"'.repeat(valueChars - n)],
  ['is percent-encoded letters', '%61', (n: number) => 'a'.repeat(valueChars - n)],
  ['is one pair of letters, as they are', 'ab', (n: number) => 'ab'.repeat(valueChars / 2 - n)],
  ['begins like each of them', 'a', (n: number) => 'a'.repeat(16) + String.fromCharCode(0x41 + n).repeat(4_000)],
])('an answer that %s is masked within a moment', (_how, unit, secretOf) => {
  const secrets = Array.from({ length: headersMax }, (_, n) => secretOf(n));
  const roundMs = (): number => processorMs(() => maskOnce([...fields(unit), answer(unit)], secrets, true));
  expect(Math.min(roundMs(), roundMs(), roundMs())).toBeLessThan(300);
});
