import fc from 'fast-check';
import { processorMs } from '../../primitives/processor-ms.fake.ts';
import { maskOnce } from './mask-once.ts';

const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

test.each([
  ['as it is', `token ${secret}!`, 'token [secret]!'],
  ['twice', `${secret}${secret} ${secret}`, '[secret] [secret]'],
  ['in base64', `Basic ${btoa(`user:${secret}`)}`, 'Basic dXNlcjp[secret]w=='],
  ['in lower case', secret.toLowerCase(), '[secret]'],
  ['cut off by the receiver', `${secret.slice(0, 20)}...`, '[secret]...'],
  ['not at all', 'thanks', 'thanks'],
  ['too short to be sought', 'ab abc', 'ab abc'],
])('masks a secret that is there %s', (_how, text, shown) => {
  expect(maskOnce(text, [secret, 'ab'], false)).toBe(shown);
});

test('finds a whole secret behind what looks like its beginning', () => {
  const tricky = `${'a'.repeat(16)}-rest-of-it`;
  expect(maskOnce(`aaaa${tricky}`, [tricky], false)).toBe('[secret]');
});

test('leaves nothing of a secret at the end of a text that was cut', () => {
  for (let chars = 1; chars < secret.length; chars++) {
    const shown = maskOnce(`${'.'.repeat(40)}${secret.slice(0, chars)}`, [secret], true);
    expect([chars, shown.replace('[secret]', '').replaceAll('.', '')]).toEqual([chars, '']);
  }
});

test('leaves no whole secret in a text, whatever stands around it', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '%', '"'), minLength: 6, maxLength: 24 });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), texts, (secrets, between) => {
      const shown = maskOnce(secrets.join(between), secrets, false);
      for (const one of secrets) expect(shown).not.toContain(one);
    }),
  );
});

test('a text without a secret is searched in a moment, and one made to be slow in no more than that', () => {
  const secrets = Array.from({ length: 20 }, (_, n) => 'a'.repeat(4_090) + String(n).padStart(6, '0'));
  expect(processorMs(() => maskOnce('x'.repeat(16_384), secrets, true))).toBeLessThan(2_000);
  expect(processorMs(() => maskOnce('a'.repeat(16_384), secrets, true))).toBeLessThan(2_000);
});
