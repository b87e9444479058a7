// Parses and compares semantic versions (semver.org, 2.0.0).

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/i;
/** Longer than any real version. */
const charsMax = 100;

interface Version {
  readonly numbers: readonly string[];
  /** The identifiers of a pre-release; empty: it is a release. */
  readonly parts: readonly string[];
}

export const isSemver = (text: string): boolean => parseVersion(text) !== undefined;

/** Whether the first version is higher; false if one is not a version. */
export function isHigher(text: string, than: string): boolean {
  const [one, other] = [parseVersion(text), parseVersion(than)];
  if (one === undefined || other === undefined) return false;
  const numberDifference = firstDifference(one.numbers, other.numbers);
  if (numberDifference !== 0) return numberDifference > 0;
  const isRelease = one.parts.length === 0;
  if (isRelease || other.parts.length === 0) return isRelease && other.parts.length > 0;
  return firstDifference(one.parts, other.parts) > 0;
}

function parseVersion(text: string): Version | undefined {
  const match = text.length > charsMax ? null : pattern.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '', patch = '', pre] = match;
  const parts = pre === undefined ? [] : pre.split('.');
  return parts.some((part) => /^0\d+$/.test(part)) ? undefined : { numbers: [major, minor, patch], parts };
}

/** Positive: the first is higher. If one list begins with the other, the longer is higher. */
function firstDifference(ones: readonly string[], others: readonly string[]): number {
  for (const [i, one] of ones.entries()) {
    const other = others[i];
    if (other === undefined) return 1;
    const difference = compareParts(one, other);
    if (difference !== 0) return difference;
  }
  return ones.length - others.length;
}

/** Compares numbers by value, at any length; numbers are lower than texts. */
function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
