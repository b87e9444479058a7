// The keys of recent ids on `state`, beside the source's own.

const infix = '/ids/';

export const recentKey = (sourceId: string, segment: number): string => `${sourceId}${infix}${segment}`;

/** Undefined: the key is a source's own. */
export function sourceOfRecentKey(key: string): string | undefined {
  const at = key.indexOf(infix);
  return at < 0 ? undefined : key.slice(0, at);
}
