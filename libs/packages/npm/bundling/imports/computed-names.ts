// Resolves imports by computed names, such as `require('./lang/' + code)`, to the component's own files or those of the
// importing package. esbuild by itself would search this machine's disk for them.
import { posix } from 'node:path';
import type { Message } from 'esbuild';

const notFound = /^Could not resolve (?:require|import)\((".*\*.*")\)$/s;
/** The call before a computed name. */
const callBeforeName = /\b(require|import)\s*\($/;
/** An ending that a name can omit. */
const ending = /\.(?:[cm]?js|json)$/;
const importableFile = /\.(?:[cm]?[jt]s|[jt]sx|json)$/;
const literalCall = /\b(?:require|import)\(\s*(?:'[^'\\\n]*'|"[^"\\\n]*")\s*\)/g;
const possibleCall = /\b(?:require|import)\b\s*[(/?]|\\u(?:00|\{)/;
/** Files that one name can match. */
const filesMax = 2_000;

/** Whether a text might import by a computed name; true in doubt. */
export const mayComputeNames = (text: string): boolean => possibleCall.test(text.replace(literalCall, ''));

/**
 * A folder that does not exist, so deep that no name in the text leads out of it: each step up takes a slash, or an
 * escape of one. esbuild searches for computed names from here, and so finds none.
 */
export const missingFolderFor = (text: string): string => '/nowhere'.repeat(1 + (text.match(/[/\\]/g)?.length ?? 0));

/** Makes a pattern of esbuild's notation, in which two stars match any number of folders. */
function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/\*|\*)/).map((part) => {
    if (part === '**/*') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** `name = require;` */
const alias = /(?<![\w$.])([\w$]+)\s*=\s*require\s*;/g;
/** `name('./folder/' +`: a call with a computed relative path. */
const computedCall = /(?<![\w$.])([\w$]+)\(\s*(?=(?:'\.\.?\/[^'\n]*'|"\.\.?\/[^"\n]*")\s*\+)/g;

/**
 * A package might alias `require` to hide it from bundlers, as moment does for its locales. Nothing can be loaded at
 * run time, so the alias is replaced. Columns are kept, unless the alias is shorter.
 */
function restoreRequire(text: string): string {
  const names = new Set([...text.matchAll(alias)].map(([, name]) => name));
  if (names.size === 0) return text;
  return text.replace(computedCall, (match, name: string) =>
    names.has(name) ? 'require'.padEnd(name.length) + match.slice(name.length) : match,
  );
}

interface ComputedImport {
  readonly line: number;
  /** In bytes, from 0. */
  readonly column: number;
  /** The name, in esbuild's notation. */
  readonly pattern: string;
}

const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

export class ComputedNames {
  readonly #filesFor: (importer: string) => readonly string[];
  readonly #imports = new Map<string, ComputedImport[]>();

  /** `filesFor`: the paths of all files that `importer` can import by a computed name. */
  constructor(filesFor: (importer: string) => readonly string[]) {
    this.#filesFor = filesFor;
  }

  /** Learns computed imports from esbuild's errors; true: the bundle must be made again with the texts of `rewrite`. */
  learn(errors: readonly Message[]): boolean {
    const learned = new Map<string, ComputedImport[]>();
    for (const { text, location } of errors) {
      const [, pattern] = notFound.exec(text) ?? [];
      // A text that was rewritten already has other columns.
      if (pattern === undefined || location === null || this.#imports.has(location.file)) continue;
      const { file, line, column } = location;
      learned.set(file, [...(learned.get(file) ?? []), { line, column, pattern: JSON.parse(pattern) as string }]);
    }
    for (const [file, imports] of learned) this.#imports.set(file, imports);
    return learned.size > 0;
  }

  /** The text of a file, with imports of all files that its computed names match. Keeps the lines. */
  rewrite(file: string, text: string): string {
    const imports = this.#imports.get(file);
    const source = restoreRequire(text);
    if (imports === undefined) return source;
    const parts = source.split(lineEnds);
    // From the end of a line, so that earlier columns stay valid.
    for (const { line, column, pattern } of imports.toSorted((one, other) => other.column - one.column)) {
      const at = (line - 1) * 2;
      const bytes = Buffer.from(parts[at] ?? '');
      const [before, after] = [bytes.subarray(0, column).toString(), bytes.subarray(column).toString()];
      parts[at] = this.#rewriteCall(before, this.#filesMatching(file, pattern)) + after;
    }
    return parts.join('');
  }

  /** Hides a name that matches no file from esbuild, so that it is looked up at run time and not found, as in Node. */
  #rewriteCall(before: string, filesByName: ReadonlyMap<string, string>): string {
    const [match = '', word] = callBeforeName.exec(before) ?? [];
    if (word === undefined || filesByName.size === 0) return `${before}globalThis.undefined||`;
    const cases = [...filesByName].map(
      ([name, file]) => `case ${JSON.stringify(name)}:return ${word}(${JSON.stringify(file)});`,
    );
    return `${before.slice(0, -match.length)}(n=>{switch(n){${cases.join('')}default:return ${word}(n)}})(`;
  }

  /** The files by each name that the program can compute for them. */
  #filesMatching(importer: string, pattern: string): ReadonlyMap<string, string> {
    const matcher = patternOf(pattern);
    const folder = pattern.slice(0, pattern.lastIndexOf('/', pattern.indexOf('*')) + 1);
    const base = posix.join(posix.dirname(importer.replace(/^program:/, '')), folder);
    const filesByName = new Map<string, string>();
    for (const file of this.#filesFor(importer)) {
      if (!importableFile.test(file) || (base !== './' && !file.startsWith(base))) continue;
      const whole = folder + (base === './' ? file : file.slice(base.length));
      for (const name of [whole, whole.replace(ending, '')]) {
        if (filesByName.size < filesMax && matcher.test(name) && !filesByName.has(name)) filesByName.set(name, whole);
      }
    }
    return filesByName;
  }
}
