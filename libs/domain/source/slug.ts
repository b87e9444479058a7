// Makes name slugs: a name in lower case with dashes, made unique by a number at its end
// (docs/reference/component-api.md, "Sources as records").

/** Longer names are cut: a slug goes into URLs and command lines. */
const slugCharsMax = 80;

export function slugOf(name: string): string {
  const dashed = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharsMax)
    .replace(/^-+|-+$/g, '');
  return dashed === '' ? 'source' : dashed;
}

/** The slug, or if it is taken, the slug with the lowest free suffix from `-1` on. */
export function uniqueSlug(slug: string, taken: { has(slug: string): boolean }): string {
  if (!taken.has(slug)) return slug;
  let suffix = 1;
  while (taken.has(`${slug}-${suffix}`)) suffix++;
  return `${slug}-${suffix}`;
}
