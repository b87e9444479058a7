// Determines the differences between the signed records and those in the export, by the prints of both.

/** A record that the export holds, in the order of the file. */
export interface ExportedRecord {
  /** The number that its line states. */
  readonly index: number;
  /** Absent for a line of which only the place can be read. */
  readonly print?: number;
  readonly id?: string;
  /** The line number in the file. */
  readonly line: number;
}

export interface Difference {
  readonly kind: 'changed' | 'missing' | 'added' | 'moved';
  readonly index: number;
  readonly exported?: ExportedRecord;
}

/**
 * Returns the differences in the order of the records. `first`: the number of the first record that was signed here.
 */
export function differencesOf(
  first: number,
  signed: readonly number[],
  exported: readonly ExportedRecord[],
): readonly Difference[] {
  const matches = matchRecords(signed, exported);
  const unmoved = findUnmoved(matches);
  const moved = exported.flatMap((record, at): Difference[] => {
    const match = matches[at];
    if (match === undefined || unmoved.has(at)) return [];
    return [{ kind: 'moved', index: first + match, exported: record }];
  });
  const gaps = [...gapsOf(signed, matches, unmoved)];
  const inGaps = gaps.flatMap((gap) => differencesIn(gap, first, exported));
  return [...moved, ...inGaps].sort((one, other) => one.index - other.index);
}

/** Returns the records whose number differs from the signed one: call only if nothing else differs. */
export const misnumbered = (first: number, exported: readonly ExportedRecord[]): readonly Difference[] =>
  exported.flatMap((record, at) =>
    record.index === first + at ? [] : [{ kind: 'changed' as const, index: first + at, exported: record }],
  );

/** Returns for each record of the export its position among the signed ones, if it is one of them. */
function matchRecords(signed: readonly number[], exported: readonly ExportedRecord[]): readonly (number | undefined)[] {
  const positionsByPrint = new Map<number, number[]>();
  for (const [at, print] of signed.entries()) {
    const known = positionsByPrint.get(print);
    if (known === undefined) positionsByPrint.set(print, [at]);
    else known.push(at);
  }
  return exported.map(({ print }) => (print === undefined ? undefined : positionsByPrint.get(print)?.shift()));
}

/** Determines the records that were not moved: if two were swapped, those between them were not. */
function findUnmoved(matches: readonly (number | undefined)[]): ReadonlySet<number> {
  const inPlace = new Set(matches.flatMap((match, at) => (match === at ? [at] : [])));
  const increasing = longestIncreasing(matches);
  return inPlace.size >= increasing.size ? inPlace : increasing;
}

/** Returns the longest sequence of records in the order in which they were signed: all others were moved. */
function longestIncreasing(matches: readonly (number | undefined)[]): ReadonlySet<number> {
  const ends: number[] = [];
  const predecessors = new Map<number, number | undefined>();
  for (const [at, match] of matches.entries()) {
    if (match === undefined) continue;
    const length = firstNotBelow(ends, (end) => matches[end] ?? 0, match);
    predecessors.set(at, ends[length - 1]);
    ends[length] = at;
  }
  const unmoved = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = predecessors.get(at)) unmoved.add(at);
  return unmoved;
}

/** A binary search. */
function firstNotBelow(ends: readonly number[], valueOf: (end: number) => number, value: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(ends[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Gap {
  /** Places of signed records without a record in the export. */
  readonly missing: readonly number[];
  /** Places of records that were not signed. */
  readonly unsigned: readonly number[];
}

/** Yields the gaps between two records that were not moved. */
function* gapsOf(
  signed: readonly number[],
  matches: readonly (number | undefined)[],
  unmoved: ReadonlySet<number>,
): Generator<Gap> {
  const matchedPositions = new Set(matches.filter((match) => match !== undefined));
  let [next, unsigned]: [number, number[]] = [0, []];
  for (let at = 0; at <= matches.length; at += 1) {
    const isLast = at === matches.length;
    if (!isLast && matches[at] === undefined) unsigned.push(at);
    if (!isLast && !unmoved.has(at)) continue;
    const end = isLast ? signed.length : (matches[at] ?? 0);
    const missing = range(next, end).filter((position) => !matchedPositions.has(position));
    if (missing.length + unsigned.length > 0) yield { missing, unsigned };
    [next, unsigned] = [end + 1, []];
  }
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** An unsigned record where a signed one is lost counts as that one, changed. */
function differencesIn(
  { missing, unsigned }: Gap,
  first: number,
  exported: readonly ExportedRecord[],
): readonly Difference[] {
  const pairs = Math.max(missing.length, unsigned.length);
  return range(0, pairs).flatMap((at): Difference[] => {
    const [position, record] = [missing[at], exported[unsigned[at] ?? -1]];
    if (position === undefined)
      return record === undefined ? [] : [{ kind: 'added', index: record.index, exported: record }];
    const index = first + position;
    return [record === undefined ? { kind: 'missing', index } : { kind: 'changed', index, exported: record }];
  });
}
