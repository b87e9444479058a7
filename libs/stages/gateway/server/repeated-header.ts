// Finds headers that a request repeats but may have only once: programs on the way could each use a different value.

/** The first of `names`, in lower case, that the request has more than once. */
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
