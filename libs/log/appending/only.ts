// What comes back of one record, where lists go and lists come back.

/** Throws when there is not exactly one: whoever gave the list has broken its promise. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`one was expected, and there are ${list.length}`);
  return first;
}
