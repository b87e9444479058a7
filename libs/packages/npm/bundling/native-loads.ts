// Finds where a package with native code loads a file by a name computed at run time, which no import shows.
import type { Location, Message } from 'esbuild';
import type { Import } from './graph.ts';
import { packageOf } from './graph.ts';

/** esbuild's message about such a call. */
const computedRequire = 'unsupported-require-call';
/** Replaces every computed name. */
const computedName = './*.node';

const nativeFile = /\/binding\.gyp$|\.node$/;
/** Line ends as esbuild counts them. */
const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

/** The packages that contain native code or its sources. */
export const nativePackages = (files: readonly string[]): ReadonlySet<string> =>
  new Set(files.filter((file) => nativeFile.test(file)).map(packageOf));

export class NativeLoads {
  readonly #locations = new Map<string, Location[]>();

  constructor(messages: readonly Message[], natives: ReadonlySet<string>) {
    for (const { id, location } of messages) {
      if (id !== computedRequire || location === null || !natives.has(packageOf(location.file))) continue;
      const locations = this.#locations.get(location.file) ?? [];
      this.#locations.set(location.file, locations);
      locations.push(location);
    }
  }

  importsOf(file: string): readonly Import[] {
    if (!this.#locations.has(file)) return [];
    return [{ path: computedName, specifier: computedName, kind: 'require-call', isExternal: true }];
  }

  /** A file's text, with an import at each of its loads, so that these can be judged like other imports. */
  withImports(file: string, text: string): string {
    const locations = this.#locations.get(file);
    if (locations === undefined) return text;
    const parts = text.split(lineEnds);
    // From the end of a line, so that earlier columns stay valid.
    for (const { line, column, length } of locations.toSorted((one, other) => other.column - one.column)) {
      const at = (line - 1) * 2;
      const bytes = Buffer.from(parts[at] ?? '');
      const [before, call, after] = [
        bytes.subarray(0, column),
        bytes.subarray(column, column + length),
        bytes.subarray(column + length),
      ];
      parts[at] = `${before}(require(${JSON.stringify(computedName)}),${call})${after}`;
    }
    return parts.join('');
  }
}
