// The result for one record, where a call takes a list and gives a list.

/** Throws unless there is exactly one: anything else is a broken promise of the code that made the list. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`expected exactly one record, got ${list.length}`);
  return first;
}
