import { inspect } from 'node:util';
import fc from 'fast-check';
import { processorMs } from '../../primitives/processor-ms.fake.ts';
import { Finder, soughtCharsMin } from './finder.ts';
import { formsMax, formsOf } from './forms.ts';
import { collectSecrets, maskSecrets, secretMask } from './mask.ts';

const secret = 'p@ss word/?+ü';

test('a secret is masked at any place', () => {
  expect(maskSecrets(`a ${secret} b ${secret}`, [secret])).toBe('a [secret] b [secret]');
});

test('a secret in lower case, as a host name is shown, is masked', () => {
  expect(maskSecrets('no answer of s3cr3ttoken.example', ['S3cr3tToken'])).toBe('no answer of [secret].example');
});

test.each([
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64 without padding', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['hex in upper case', Buffer.from(secret).toString('hex').toUpperCase()],
  ['URL encoding', encodeURIComponent(secret)],
  ['URL encoding in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['form encoding', new URLSearchParams({ q: secret }).toString().slice(2)],
  ['a Buffer as a console shows it', '70 40 73 73 20 77 6f 72 64 2f 3f 2b c3 bc'],
])('a secret in %s is masked', (_name, text) => {
  expect(maskSecrets(`before ${text} after`, [secret])).toBe('before [secret] after');
});

test('a secret whose base64 has the two characters that base64url writes otherwise is masked in both', () => {
  const bytes = Buffer.from('??>~ key ~>??');
  const [base64, base64url] = [bytes.toString('base64'), bytes.toString('base64url')];
  expect([base64, base64url]).toEqual(['Pz8+fiBrZXkgfj4/Pw==', 'Pz8-fiBrZXkgfj4_Pw']);
  for (const text of [base64, base64url]) expect(maskSecrets(text, [bytes.toString()])).toBe('[secret]');
});

const url = (set: (url: URL) => void): string => {
  const shown = new URL('https://api.example/');
  set(shown);
  return shown.href;
};
const inUrl: readonly (readonly [string, (secret: string) => string])[] = [
  ['a path', (one) => url((to) => (to.pathname = `/${one}/end`))],
  ['a query', (one) => new URL(`https://api.example/?key=${one.replaceAll('#', '%23')}`).href],
  [
    'a query that encodeURIComponent prepared',
    (one) => new URL(`https://a.example/?k=${encodeURIComponent(one)}`).href,
  ],
  ['a query of another scheme', (one) => url((to) => (to.href = `app:x?k=${one.replaceAll('#', '%23')}`))],
  ['a fragment', (one) => url((to) => (to.hash = one))],
  ['a user', (one) => url((to) => (to.username = one))],
  ['a password', (one) => url((to) => (to.password = one))],
  ['a password in lower case', (one) => url((to) => (to.password = one)).replace(/%../g, (code) => code.toLowerCase())],
  ['encodeURI', encodeURI],
  ['encodeURI within URL', (one) => new URL(encodeURI(`https://a.example/?k=${one.replaceAll('#', '')}`)).href],
  [
    'a parameter of axios',
    (one) =>
      encodeURIComponent(one)
        .replaceAll('%20', '+')
        .replaceAll(/%(24|2C|3A)/g, unescape),
  ],
  ['JSON in a parameter', (one) => encodeURIComponent(JSON.stringify({ one }))],
  ['a form of several', (one) => new URLSearchParams({ a: '1', token: one, b: one }).toString()],
];

test.each(inUrl)('a secret in %s is masked, however it is written there', (_where, written) => {
  for (const one of ['pass word/7', 'Tr0ub4dor^&3/x', "it's {a} b+c=d", 'ümläut, ключ 😀', 'ab%41 cd$e:f'])
    expect([one, decodeURIComponent(maskSecrets(written(one), [one]))]).toEqual([
      one,
      expect.stringMatching(/^(?!.*(word|Tr0|b4dor|'s|c=d|ml|auc|ключ|cd)).*\[secret\]/),
    ]);
});

test('a secret with backslashes is masked in the path of a URL, which has slashes for them', () => {
  const secret = 'DOMAIN\\pass\\word 7';
  const shown = maskSecrets(new URL(`https://api.example/hooks/${secret}/x`).href, [secret]);
  expect(shown).toBe('https://api.example/hooks/[secret]/x');
});

test('what is not percent-encoded text is left as it is', () => {
  for (const text of ['100% of a+b', '%', '%4', '%zz %e4%b8 %ff%41 %80 %f8%88%80%80 %f7%bf%bf%bf', '%E4%B8%80%00'])
    expect(maskSecrets(text, ['secret', 'a b'])).toBe(text);
});

test('a secret that is not well-formed text is masked as it is sent, with a replacement character', () => {
  const one = 'ab\ud800cd\ud800ef';
  expect(maskSecrets(new TextDecoder().decode(new TextEncoder().encode(one)), [one])).toBe('[secret]');
});

test('of a secret of several lines each long one is masked without the spaces before it', () => {
  expect(maskSecrets('it is sk_live_abcdef', ['{\n  sk_live_abcdef\n}'])).toBe('it is [secret]');
});

test('a secret is masked without the white space around it, too', () => {
  const pasted = ' sk_live_a/b+c1\r\n';
  const used = pasted.trim();
  for (const text of [pasted, used, btoa(used), `Basic ${btoa(`user:${used}`)}`, encodeURIComponent(used), `${used}\n`])
    expect(maskSecrets(text, [pasted])).not.toMatch(/live|c2tfb|tfbGl2/);
  expect(maskSecrets('12345', ['12345\n'])).toBe('12345');
});

test.each(['user\nsk_live_abcdef\npw', 'user\r\nsk_live_abcdef', '{\n  sk_live_abcdef\n}'])(
  'of %j the one line that is long enough is masked where lines are indented',
  (several) => {
    expect(maskSecrets(several.replaceAll('\n', '\n    '), [several])).not.toContain('live');
    expect(maskSecrets(inspect({ several }, { breakLength: 1 }), [several])).not.toContain('live');
  },
);

test('a secret has a bounded number of forms, whatever is in it', () => {
  for (const one of ['simple', ' "It\'s" %41/ü\ud800 \\ a? ', `a'"${'%C3%BC ü😀'.repeat(100)} `])
    expect(formsOf(one, soughtCharsMin).length).toBeLessThanOrEqual(formsMax);
  expect(formsOf('line "1"\nline \'2\'\n', soughtCharsMin).length).toBeLessThanOrEqual(formsMax + 2 * 4);
});

test('a secret with line breaks is masked inside JSON text', () => {
  const key = '-----BEGIN KEY-----\nabc\n"def"';
  expect(maskSecrets(JSON.stringify({ key }), [key])).toBe('{"key":"[secret]"}');
});

test('a secret of several lines is masked as inspect prints it: escaped in quotes, and line by line', () => {
  const key = `-----BEGIN KEY-----\n${'MIIEvQIBADANBgkq'.repeat(4)}\n${'it\'s "quoted"'.repeat(3)}\n-----END KEY-----`;
  for (const text of [inspect({ key }), inspect({ key }, { breakLength: Infinity }), inspect([`${key}\``])]) {
    const shown = maskSecrets(text, [key]);
    expect(shown).not.toMatch(/BEGIN|MIIE|quoted/);
    expect(shown).toContain('[secret]');
  }
});

test.each(['', 'u', 'us', 'use', 'user:'])('a secret after "%s" in one base64 text cannot be read back', (before) => {
  const token = 'sk_live_abcdef123456';
  const text = Buffer.from(`${before}${token}!`).toString('base64');
  const shown = Buffer.from(maskSecrets(text, [token]).replaceAll('[secret]', ' '), 'base64').toString('latin1');
  expect(shown).not.toContain(token.slice(2, -2));
  expect(maskSecrets(text, [token])).toContain('[secret]');
});

test('a secret shorter than six characters is not masked, one of six is', () => {
  expect(maskSecrets('12345 123456', ['12345', '123456'])).toBe('12345 [secret]');
});

test('of overlapping secrets everything is masked, and the mask itself is not masked again', () => {
  expect(maskSecrets('abcdefgh', ['abcdef', 'abcdefgh'])).toBe('[secret]');
  expect(maskSecrets('abcdefghij', ['abcdef', 'efghij'])).toBe('[secret]');
  expect(maskSecrets('my secret', ['secret'])).toBe('my [secret]');
});

test('a secret that is not well-formed text is masked without an error', () => {
  expect(maskSecrets('abcdef\ud800', ['abcdef\ud800'])).toBe('[secret]');
});

test('a secret is masked whatever text surrounds it', () => {
  const letters = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom('a', 'b', '%', '+', ' ') });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 4 }), fc.array(fc.string(), { maxLength: 4 }), (secrets, texts) => {
      const shown = maskSecrets(texts.join(secrets[0] ?? ''), secrets).split('[secret]');
      for (const one of secrets) for (const piece of shown) expect(piece).not.toContain(one);
    }),
  );
});

test('a long secret in a Buffer that the console has truncated is fully masked', () => {
  const long = 'long secret, '.repeat(20);
  const pairs = Buffer.from(long).subarray(0, 50).toString('hex').match(/../g)?.join(' ') ?? '';
  expect(maskSecrets(`<Buffer ${pairs} ... 210 more bytes>`, [long])).toBe('<Buffer [secret] ... 210 more bytes>');
});

test('a long secret that was cut off is masked up to a short rest at its end', () => {
  const long = Array.from({ length: 100 }, (_, n) => `part ${n} of it`).join(', ');
  const shown = maskSecrets(`it is ${long.slice(0, 500)}`, [long]);
  expect(shown).toMatch(/^it is \[secret\]/);
  expect(shown.length).toBeLessThan('it is [secret]'.length + 32);
});

test.each([20, 32, 33, 100, 700])(
  'nothing of a secret of %i characters is left at the end of a text that was cut',
  (chars) => {
    const secret = Array.from({ length: chars }, (_, n) => String.fromCharCode(0x4e00 + n)).join('');
    const text = `${'x'.repeat(50)}${secret}`;
    const mask = secretMask([secret]);
    for (const shown of chars > 100 ? [text] : [text, encodeURIComponent(text)])
      for (let end = 50; end <= shown.length; end++)
        expect(mask(shown.slice(0, end), true)).toMatch(/^x*(\[(s(e(c(r(e(t\]?)?)?)?)?)?)?)?$/);
    expect(secretMask([])(text, true)).toBe(text);
  },
);

test('every string inside a value is a secret', () => {
  expect(collectSecrets({ a: 'one', b: [1, true, null, ['two', { c: 'three' }]] })).toEqual(['one', 'two', 'three']);
  expect(collectSecrets(null)).toEqual([]);
  expect(collectSecrets('alone')).toEqual(['alone']);
  expect(collectSecrets(JSON.parse(`${'['.repeat(50_000)}"deep"${']'.repeat(50_000)}`))).toEqual(['deep']);
});

test('a text is masked completely when there are more secrets than can be searched for', () => {
  const secrets = Array.from({ length: 101 }, (_, n) => `secret ${n}`);
  expect(maskSecrets('nothing of it: secret 7', secrets)).toMatch(/^\[hidden: .*100 secrets/);
  expect(maskSecrets('nothing of it', ['x'.repeat(300_000)])).toMatch(/^\[hidden/);
  expect(maskSecrets('all of it: secret 7', [...secrets.slice(0, 100), ...secrets.slice(0, 100), 'short'])).toBe(
    'all of it: [secret]',
  );
});

test('finds at each place the longest of the texts that begin there', () => {
  const letters = (max: number): fc.Arbitrary<string> =>
    fc.string({ minLength: soughtCharsMin, maxLength: max, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(letters(12), { maxLength: 20 }), letters(80), (sought, text) => {
      const covered = Array.from({ length: text.length }, () => false);
      for (const one of sought)
        for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1))
          covered.fill(true, at, at + one.length);
      const found = covered.map(() => false);
      for (const [from, to] of new Finder(sought).spansIn(text)) found.fill(true, from, to);
      expect(found).toEqual(covered);
    }),
  );
});

test('secrets that begin alike and differ in length take little longer to be found than one', () => {
  const text = 'a'.repeat(64 * 1024);
  const lengths = Array.from({ length: 27 }, (_, n) => 'a'.repeat(soughtCharsMin) + 'b'.repeat(n));
  const ofMs = (secrets: readonly string[]): number => {
    const mask = secretMask(secrets);
    const roundMs = (): number => processorMs(() => mask(text));
    return Math.min(roundMs(), roundMs(), roundMs(), roundMs(), roundMs());
  };
  expect(ofMs(lengths)).toBeLessThan(8 * ofMs([lengths[0] ?? '']) + 20);
});
