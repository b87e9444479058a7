// Determines the differences between the signed records and those in the export, by the prints of both.

/** A record that the export holds, in the order of the file. */
export interface Held {
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
  readonly held?: Held;
}

/**
 * Returns the differences in the order of the records. `first`: the number of the first record that was signed here.
 */
export function differencesOf(first: number, signed: readonly number[], held: readonly Held[]): readonly Difference[] {
  const matches = matched(signed, held);
  const standing = standingOf(matches);
  const found = held.flatMap((record, at): Difference[] => {
    const match = matches[at];
    if (match === undefined || standing.has(at)) return [];
    return [{ kind: 'moved', index: first + match, held: record }];
  });
  const gaps = [...gapsOf(signed, matches, standing)];
  const inGaps = gaps.flatMap((gap) => differencesIn(gap, first, held));
  return [...found, ...inGaps].sort((one, other) => one.index - other.index);
}

/** Returns the records whose number differs from the signed one: call only if nothing else differs. */
export const misnumbered = (first: number, held: readonly Held[]): readonly Difference[] =>
  held.flatMap((record, at) =>
    record.index === first + at ? [] : [{ kind: 'changed' as const, index: first + at, held: record }],
  );

/** Returns for each record of the export its place among the signed ones, if it is one of them. */
function matched(signed: readonly number[], held: readonly Held[]): readonly (number | undefined)[] {
  const places = new Map<number, number[]>();
  for (const [at, print] of signed.entries()) {
    const known = places.get(print);
    if (known === undefined) places.set(print, [at]);
    else known.push(at);
  }
  return held.map(({ print }) => (print === undefined ? undefined : places.get(print)?.shift()));
}

/** Determines the records that were not moved: if two were swapped, those between them were not. */
function standingOf(matches: readonly (number | undefined)[]): ReadonlySet<number> {
  const unmoved = new Set(matches.flatMap((match, at) => (match === at ? [at] : [])));
  const rising = longestRising(matches);
  return unmoved.size >= rising.size ? unmoved : rising;
}

/** Returns the longest sequence of records in the order in which they were signed: all others were moved. */
function longestRising(matches: readonly (number | undefined)[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, match] of matches.entries()) {
    if (match === undefined) continue;
    const length = firstNotBelow(ends, (end) => matches[end] ?? 0, match);
    before.set(at, ends[length - 1]);
    ends[length] = at;
  }
  const standing = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) standing.add(at);
  return standing;
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
  readonly lost: readonly number[];
  /** Places of records that were not signed. */
  readonly strange: readonly number[];
}

/** Yields the gaps between two records that were not moved. */
function* gapsOf(
  signed: readonly number[],
  matches: readonly (number | undefined)[],
  standing: ReadonlySet<number>,
): Generator<Gap> {
  const taken = new Set(matches.filter((match) => match !== undefined));
  let [next, strange]: [number, number[]] = [0, []];
  for (let at = 0; at <= matches.length; at += 1) {
    const isLast = at === matches.length;
    if (!isLast && matches[at] === undefined) strange.push(at);
    if (!isLast && !standing.has(at)) continue;
    const end = isLast ? signed.length : (matches[at] ?? 0);
    const lost = range(next, end).filter((place) => !taken.has(place));
    if (lost.length + strange.length > 0) yield { lost, strange };
    [next, strange] = [end + 1, []];
  }
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** An unsigned record where a signed one is lost counts as that one, changed. */
function differencesIn({ lost, strange }: Gap, first: number, held: readonly Held[]): readonly Difference[] {
  const pairs = Math.max(lost.length, strange.length);
  return range(0, pairs).flatMap((at): Difference[] => {
    const [place, record] = [lost[at], held[strange[at] ?? -1]];
    if (place === undefined) return record === undefined ? [] : [{ kind: 'added', index: record.index, held: record }];
    const index = first + place;
    return [record === undefined ? { kind: 'missing', index } : { kind: 'changed', index, held: record }];
  });
}
