// Finds where a package with native code loads a file whose name it computes as it runs: no import shows what it is.
import type { Location, Message } from 'esbuild';
import type { Import } from './graph.ts';
import { packageOf } from './graph.ts';

/** esbuild's message about such a call. */
const computedRequire = 'unsupported-require-call';
/** Stands for every name that is computed. */
const computedName = './*.node';

const nativeFile = /\/binding\.gyp$|\.node$/;
/** Those of esbuild, which counts lines by them. */
const lineEnds = /(\r\n|[\n\r\u2028\u2029])/;

/** The packages that hold native code, or what it is compiled from. */
export const nativePackages = (files: readonly string[]): ReadonlySet<string> =>
  new Set(files.filter((file) => nativeFile.test(file)).map(packageOf));

export class NativeLoads {
  readonly #places = new Map<string, Location[]>();

  constructor(messages: readonly Message[], natives: ReadonlySet<string>) {
    for (const { id, location } of messages) {
      if (id !== computedRequire || location === null || !natives.has(packageOf(location.file))) continue;
      const places = this.#places.get(location.file) ?? [];
      this.#places.set(location.file, places);
      places.push(location);
    }
  }

  importsOf(file: string): readonly Import[] {
    if (!this.#places.has(file)) return [];
    return [{ path: computedName, specifier: computedName, kind: 'require-call', isExternal: true }];
  }

  /** A file's text, with an import at each of its loads that can be judged as any other import. */
  withImports(file: string, text: string): string {
    const places = this.#places.get(file);
    if (places === undefined) return text;
    const parts = text.split(lineEnds);
    // From the end of a line, so that the columns of those before it stay.
    for (const { line, column, length } of places.toSorted((one, other) => other.column - one.column)) {
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
