// Headers that a request may have once: of two, programs on the way could each believe another.

/** The names are in lower case. Gives the first of them that stands twice. */
export function repeatedHeader(rawHeaders: readonly string[], names: ReadonlySet<string>): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!names.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
