// Matches paths against Node's patterns: *, ?, [a-z], {a,b} and ** for any folders; wildcards skip names like `.git`.
import { posixPath } from './posix.ts';

/** Patterns that braces can expand to; more is a mistake or an attack. */
const patternsMax = 1_000;

/** All expansions of the braces. */
function expandBraces(pattern: string): readonly string[] {
  const pending: string[] = [pattern];
  const expanded: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [match, before = '', choices = '', after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(next) ?? [];
    if (match === undefined) expanded.push(next);
    else for (const choice of choices.split(',')) pending.push(before + choice + after);
    if (pending.length + expanded.length > patternsMax)
      throw new RangeError(`A pattern may stand for ${patternsMax} others`);
  }
  return expanded;
}

const regExpSpecials = /[\\^$.|+(){}]/g;

function nameTest(pattern: string): RegExp {
  const parts = pattern.split(/(\*+|\?|\[!?[^\]]+\])/);
  const text = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(regExpSpecials, '\\$&').replaceAll('[', '\\[');
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  });
  const dotGuard = /^[*?[]/.test(pattern) ? '(?!\\.)' : '';
  return new RegExp(`^${dotGuard}${text.join('')}$`, 'su');
}

type PatternSegment = RegExp | '**';

const segmentsOf = (pattern: string): readonly PatternSegment[] =>
  posixPath
    .normalize(pattern)
    .split('/')
    .filter((name, at) => name !== '' || at === 0)
    .map((name) => (name === '**' ? name : nameTest(name)));

/** The segments of a pattern that can follow the names so far: a set, so many `**` do not multiply the work. */
class MatchStates {
  readonly #segments: readonly PatternSegment[];
  /** Whether a `**` at the end can match nothing. */
  readonly #allowsEmptyEnd: boolean;
  #states = new Set<number>();

  constructor(segments: readonly PatternSegment[], allowsEmptyEnd: boolean) {
    this.#segments = segments;
    this.#allowsEmptyEnd = allowsEmptyEnd;
    this.#add(this.#states, 0);
  }

  get isMatched(): boolean {
    return this.#states.has(this.#segments.length);
  }

  advance(name: string): void {
    const next = new Set<number>();
    for (const at of this.#states) this.#step(at, name, next);
    this.#states = next;
  }

  #step(at: number, name: string, next: Set<number>): void {
    const segment = this.#segments[at];
    if (segment === '**' && !name.startsWith('.')) {
      this.#add(next, at);
      if (at === this.#segments.length - 1) next.add(at + 1);
    } else if (segment instanceof RegExp && segment.test(name)) this.#add(next, at + 1);
  }

  #add(states: Set<number>, at: number): void {
    states.add(at);
    if (this.#segments[at] === '**' && (at < this.#segments.length - 1 || this.#allowsEmptyEnd))
      this.#add(states, at + 1);
  }
}

function matchesSegments(
  segments: readonly PatternSegment[],
  names: readonly string[],
  allowsEmptyEnd: boolean,
): boolean {
  const states = new MatchStates(segments, allowsEmptyEnd);
  for (const name of names) states.advance(name);
  return states.isMatched;
}

export interface Glob {
  /** Whether it begins with a slash. */
  readonly isAbsolute: boolean;
  /** Whether it ends with a slash. */
  readonly isFoldersOnly: boolean;
  /** `asFile`: as for fs.glob, where `a/**` matches `a` too. */
  readonly matches: (path: string, asFile: boolean) => boolean;
}

/** One for each expansion of the pattern's braces. */
export const globsOf = (pattern: string): readonly Glob[] =>
  expandBraces(pattern).map((text) => {
    const segments = text === '' ? undefined : segmentsOf(text);
    return {
      isAbsolute: text.startsWith('/'),
      isFoldersOnly: text.endsWith('/'),
      matches: (path, asFile) =>
        segments !== undefined && matchesSegments(segments, path === '' ? [] : path.split('/'), asFile),
    };
  });

export function matchesGlob(path: unknown, pattern: unknown): boolean {
  for (const [name, value] of Object.entries({ path, pattern }))
    if (typeof value !== 'string')
      throw Object.assign(new TypeError(`The "${name}" argument must be of type string`), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
  if (path === '') return false;
  const normalized = posixPath.normalize(String(path)).replace(/(?<=.)\/$/, '');
  return globsOf(String(pattern)).some((glob) => glob.matches(normalized, false));
}
