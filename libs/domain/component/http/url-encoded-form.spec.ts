import fc from 'fast-check';
import { formPairs } from './url-encoded-form.ts';

test('a form is read as the URL standard says', () => {
  const part = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%2', '%20', '%C3%A4', '%ff', '%E2%82', '%ef%bb%bf', '%00', 'a', '#', '?'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      fc.pre(!text.startsWith('?'));
      expect(formPairs(text)).toEqual([...new URLSearchParams(text)]);
    }),
  );
});

test('characters beyond ASCII and invalid escapes are kept', () => {
  expect(formPairs('ü=😀&%zz%C3%BC=%2')).toEqual([
    ['ü', '😀'],
    ['%zzü', '%2'],
  ]);
});
