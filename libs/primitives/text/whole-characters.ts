// Cuts a text without cutting a character in two.

/** The first `units` of UTF-16, less half a character at their end. */
export const wholeCharacters = (text: string, units: number): string =>
  text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
