// Headers that a request may have only once: given two, programs on the way could each believe a different one.

/** The first of `names`, which are in lower case, that the request has twice. */
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
