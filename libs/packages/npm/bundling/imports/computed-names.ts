// Imports by a name that is computed, such as `require('./lang/' + code)`: they may mean the component's own files or those
// of the package that has the import. esbuild by itself would look for them on the machine's disk.
import { posix } from 'node:path';
import type { Message } from 'esbuild';

const notFound = /^Could not resolve (?:require|import)\((".*\*.*")\)$/s;
/** What a computed name stands in. */
const call = /\b(require|import)\s*\($/;
/** May be left out in a name. */
const ending = /\.(?:[cm]?js|json)$/;
const named = /\.(?:[cm]?[jt]s|[jt]sx|json)$/;
const isPlain = /\b(?:require|import)\(\s*(?:'[^'\\\n]*'|"[^"\\\n]*")\s*\)/g;
const mayCall = /\b(?:require|import)\b\s*[(/?]|\\u(?:00|\{)/;
/** A name may mean so many files. */
const filesMax = 2_000;

/** Whether a text may import by a name that it computes; when in doubt, yes. */
export const mayComputeNames = (text: string): boolean => mayCall.test(text.replace(isPlain, ''));

/**
 * A folder that is not there, from which no name in the text leads out: each step up takes a slash, or an escape that
 * stands for one. esbuild looks for computed names from here, and so finds none.
 */
export const nowhere = (text: string): string => '/nowhere'.repeat(1 + (text.match(/[/\\]/g)?.length ?? 0));

/** esbuild writes what may have any number of folders as two stars. */
function patternOf(shown: string): RegExp {
  const parts = shown.split(/(\*\*\/\*|\*)/).map((part) => {
    if (part === '**/*') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}

const alias = /(?<![\w$.])([\w$]+)\s*=\s*require\s*;/g;
const computedCall = /(?<![\w$.])([\w$]+)\(\s*(?=(?:'\.\.?\/[^'\n]*'|"\.\.?\/[^"\n]*")\s*\+)/g;

/**
 * A package may call `require` by another name so that bundlers leave it alone, as moment does for its locales. Here there
 * is nothing to load as the component runs. Columns stay where they are, unless the other name is the shorter one.
 */
function unaliased(text: string): string {
  const names = new Set([...text.matchAll(alias)].map(([, name]) => name));
  if (names.size === 0) return text;
  return text.replace(computedCall, (whole, name: string) =>
    names.has(name) ? 'require'.padEnd(name.length) + whole.slice(name.length) : whole,
  );
}

interface Place {
  readonly line: number;
  /** In bytes, from 0. */
  readonly column: number;
  /** What the name looks like. */
  readonly shown: string;
}

const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

export class ComputedNames {
  readonly #filesFor: (importer: string) => readonly string[];
  readonly #places = new Map<string, Place[]>();

  /** `filesFor`: the paths of all that a file may mean. */
  constructor(filesFor: (importer: string) => readonly string[]) {
    this.#filesFor = filesFor;
  }

  /** Whether these errors tell of such imports: then the bundle is to be made again, with the texts that `written` gives. */
  learn(errors: readonly Message[]): boolean {
    const found = new Map<string, Place[]>();
    for (const { text, location } of errors) {
      const [, shown] = notFound.exec(text) ?? [];
      // A text that was written here already has other columns.
      if (shown === undefined || location === null || this.#places.has(location.file)) continue;
      const { file, line, column } = location;
      found.set(file, [...(found.get(file) ?? []), { line, column, shown: JSON.parse(shown) as string }]);
    }
    for (const [file, places] of found) this.#places.set(file, places);
    return found.size > 0;
  }

  /** The text of a file, with imports of all files that a computed name may mean. Lines stay where they are. */
  written(file: string, text: string): string {
    const places = this.#places.get(file);
    const known = unaliased(text);
    if (places === undefined) return known;
    const parts = known.split(lineEnds);
    // From the end of a line, so that the columns of those before it stay.
    for (const { line, column, shown } of places.toSorted((one, other) => other.column - one.column)) {
      const at = (line - 1) * 2;
      const bytes = Buffer.from(parts[at] ?? '');
      const [before, after] = [bytes.subarray(0, column).toString(), bytes.subarray(column).toString()];
      parts[at] = this.#rewritten(before, this.#meant(file, shown)) + after;
    }
    return parts.join('');
  }

  /** A name that is not text to esbuild is looked for as the component runs: it is not there, as in Node. */
  #rewritten(before: string, meant: ReadonlyMap<string, string>): string {
    const [whole = '', word] = call.exec(before) ?? [];
    if (word === undefined || meant.size === 0) return `${before}globalThis.undefined||`;
    const cases = [...meant].map(
      ([name, file]) => `case ${JSON.stringify(name)}:return ${word}(${JSON.stringify(file)});`,
    );
    return `${before.slice(0, -whole.length)}(n=>{switch(n){${cases.join('')}default:return ${word}(n)}})(`;
  }

  /** By each name that the program may compute, the file that it names. */
  #meant(importer: string, shown: string): ReadonlyMap<string, string> {
    const isMeant = patternOf(shown);
    const folder = shown.slice(0, shown.lastIndexOf('/', shown.indexOf('*')) + 1);
    const base = posix.join(posix.dirname(importer.replace(/^program:/, '')), folder);
    const found = new Map<string, string>();
    for (const file of this.#filesFor(importer)) {
      if (!named.test(file) || (base !== './' && !file.startsWith(base))) continue;
      const whole = folder + (base === './' ? file : file.slice(base.length));
      for (const name of [whole, whole.replace(ending, '')]) {
        if (found.size < filesMax && isMeant.test(name) && !found.has(name)) found.set(name, whole);
      }
    }
    return found;
  }
}
