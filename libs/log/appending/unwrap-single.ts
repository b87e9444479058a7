// Unwraps the single result of a call that takes and returns lists.

/** Throws unless the list has exactly one item: anything else is a defect in the code that made the list. */
export function unwrapSingle<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`expected exactly one record, got ${list.length}`);
  return first;
}
