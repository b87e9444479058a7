import type { Json } from '../json.ts';
import { tooDeepPlaceholder, withoutSecrets } from './without-secrets.ts';

const nested = (levels: number, open: string, close: string): Json =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as Json;

test('a sealed value is shown as a marker at any place', () => {
  const sealed = { $sealed: 'AAAA' };
  const shown = withoutSecrets({ token: sealed, list: [1, { deep: sealed }], plain: { a: null } });
  expect(shown).toEqual({
    token: { $sealed: true },
    list: [1, { deep: { $sealed: true } }],
    plain: { a: null },
  });
});

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s of any depth are shown up to 256 levels, without overflowing the stack', (_name, open, close) => {
  const fits = nested(256, open, close);
  expect(withoutSecrets({ p: fits })).toEqual({ p: fits });
  for (const levels of [257, 4_000, 300_000]) {
    const text = JSON.stringify(withoutSecrets({ p: nested(levels, open, close) }));
    expect(text).toBe(`{"p":${open.repeat(256)}"${tooDeepPlaceholder}"${close.repeat(256)}}`);
  }
});
