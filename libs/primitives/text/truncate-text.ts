// Cuts a text without cutting a character in two.

/** Returns the first `units` UTF-16 units, without half a character at the end. */
export const truncateText = (text: string, units: number): string =>
  text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
