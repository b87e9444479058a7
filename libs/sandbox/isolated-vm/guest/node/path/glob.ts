// Matches paths against Node's patterns: *, ?, [a-z], {a,b} and ** for any folders; wildcards skip names like `.git`.
import { posixPath } from './posix.ts';

/** Patterns that braces can expand to; more is a mistake or an attack. */
const patternsMax = 1_000;

/** All expansions of the braces. */
function unbraced(pattern: string): readonly string[] {
  const open: string[] = [pattern];
  const all: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [whole, before = '', choices = '', after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(next) ?? [];
    if (whole === undefined) all.push(next);
    else for (const choice of choices.split(',')) open.push(before + choice + after);
    if (open.length + all.length > patternsMax) throw new RangeError(`A pattern may stand for ${patternsMax} others`);
  }
  return all;
}

const special = /[\\^$.|+(){}]/g;

function nameTest(pattern: string): RegExp {
  const parts = pattern.split(/(\*+|\?|\[!?[^\]]+\])/);
  const text = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(special, '\\$&').replaceAll('[', '\\[');
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  });
  const begins = /^[*?[]/.test(pattern) ? '(?!\\.)' : '';
  return new RegExp(`^${begins}${text.join('')}$`, 'su');
}

type Step = RegExp | '**';

const stepsOf = (pattern: string): readonly Step[] =>
  posixPath
    .normalize(pattern)
    .split('/')
    .filter((name, at) => name !== '' || at === 0)
    .map((name) => (name === '**' ? name : nameTest(name)));

/** The steps of a pattern that can follow the names so far: a set, so many `**` do not multiply the work. */
class Places {
  readonly #steps: readonly Step[];
  /** Whether a `**` at the end can match nothing. */
  readonly #mayEnd: boolean;
  #open = new Set<number>();

  constructor(steps: readonly Step[], mayEnd: boolean) {
    this.#steps = steps;
    this.#mayEnd = mayEnd;
    this.#add(this.#open, 0);
  }

  get isAtEnd(): boolean {
    return this.#open.has(this.#steps.length);
  }

  move(name: string): void {
    const next = new Set<number>();
    for (const at of this.#open) this.#follow(at, name, next);
    this.#open = next;
  }

  #follow(at: number, name: string, next: Set<number>): void {
    const step = this.#steps[at];
    if (step === '**' && !name.startsWith('.')) {
      this.#add(next, at);
      if (at === this.#steps.length - 1) next.add(at + 1);
    } else if (step instanceof RegExp && step.test(name)) this.#add(next, at + 1);
  }

  #add(to: Set<number>, at: number): void {
    to.add(at);
    if (this.#steps[at] === '**' && (at < this.#steps.length - 1 || this.#mayEnd)) this.#add(to, at + 1);
  }
}

function fits(steps: readonly Step[], names: readonly string[], mayEnd: boolean): boolean {
  const places = new Places(steps, mayEnd);
  for (const name of names) places.move(name);
  return places.isAtEnd;
}

export interface Glob {
  /** Whether it begins with a slash. */
  readonly isAbsolute: boolean;
  /** Whether it ends with a slash. */
  readonly isOfFolders: boolean;
  /** `asFile`: as for fs.glob, where `a/**` matches `a` too. */
  readonly matches: (path: string, asFile: boolean) => boolean;
}

/** One for each expansion of the pattern's braces. */
export const globsOf = (pattern: string): readonly Glob[] =>
  unbraced(pattern).map((text) => {
    const steps = text === '' ? undefined : stepsOf(text);
    return {
      isAbsolute: text.startsWith('/'),
      isOfFolders: text.endsWith('/'),
      matches: (path, asFile) => steps !== undefined && fits(steps, path === '' ? [] : path.split('/'), asFile),
    };
  });

export function matchesGlob(path: unknown, pattern: unknown): boolean {
  for (const [name, value] of Object.entries({ path, pattern }))
    if (typeof value !== 'string')
      throw Object.assign(new TypeError(`The "${name}" argument must be of type string`), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
  if (path === '') return false;
  const plain = posixPath.normalize(String(path)).replace(/(?<=.)\/$/, '');
  return globsOf(String(pattern)).some((glob) => glob.matches(plain, false));
}
