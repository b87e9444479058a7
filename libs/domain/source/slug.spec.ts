import { slugOf, uniqueSlug } from './slug.ts';

test.each([
  ['GitHub: New Issue (Instant)', 'github-new-issue-instant'],
  ['  Übergröße  ', 'ubergro-e'],
  ['already-a-slug', 'already-a-slug'],
  ['日本', 'source'],
  ['', 'source'],
])('the slug of "%s" is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('a long name gives a slug of at most 80 characters that ends in no dash', () => {
  expect(slugOf(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
});

test('a taken slug gets the lowest free suffix', () => {
  const takenSlugs = (...slugs: string[]) => new Map(slugs.map((slug) => [slug, 'dc_1']));
  expect(uniqueSlug('feed', takenSlugs())).toBe('feed');
  expect(uniqueSlug('feed', takenSlugs('feed'))).toBe('feed-1');
  expect(uniqueSlug('feed', takenSlugs('feed', 'feed-1', 'feed-3'))).toBe('feed-2');
});
