// The keys on `state` of recent ids, which are next to the source's own key.

const infix = '/ids/';

export const recentKey = (sourceId: string, segment: number): string => `${sourceId}${infix}${segment}`;

/** Undefined: it is not a key of recent ids. */
export function sourceOfRecentKey(key: string): string | undefined {
  const at = key.indexOf(infix);
  return at < 0 ? undefined : key.slice(0, at);
}
