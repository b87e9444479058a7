// Maps positions in the compiled text to positions in the deployed source.
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';

/** Both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** The path of one of the component's files. */
  readonly file: string;
}

/** Parses the source map at the first use, which takes some milliseconds for the largest ones. */
export class Positions {
  readonly #map: string;
  #traceMap: TraceMap | undefined;

  /** `map` is the compiler's JSON text. */
  constructor(map: string) {
    this.#map = map;
  }

  /** Undefined for code that the compiler added. */
  original(line: number, column: number): Position | undefined {
    if (line < 1 || column < 1) return undefined;
    this.#traceMap ??= new TraceMap(this.#map);
    const found = originalPositionFor(this.#traceMap, { line, column: column - 1 });
    if (found.line === null || found.source === null) return undefined;
    return { line: found.line, column: found.column + 1, file: found.source };
  }
}
