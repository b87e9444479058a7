// An error of a component as its author should see it: positions in the deployed source, no frames of anything else.
import { SourceMap } from 'node:module';
import type { ComponentError } from '../../../domain/component/messages.ts';
import type { Compiled } from './compile.ts';

/** As runner/isolate/isolate.ts calls it. */
export const componentFile = 'component.js';

const frame = /^(\s*at .*?)\(?component\.js:(\d+):(\d+)\)?$/;
const anyFrame = /^\s*at /;
const place = /component\.js:(\d+)(?::(\d+))?/;

interface Position {
  readonly line: number;
  readonly column: number;
}

class Positions {
  readonly #map: SourceMap;

  constructor(compiled: Compiled) {
    this.#map = new SourceMap(JSON.parse(compiled.map) as ConstructorParameters<typeof SourceMap>[0]);
  }

  /** Both counted from 1; undefined for what the compiler added. */
  original(line: number, column: number): Position | undefined {
    const entry = this.#map.findEntry(line - 1, column - 1);
    if (!('originalLine' in entry)) return undefined;
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }
}

interface MappedStack {
  readonly text: string;
  readonly first?: Position;
}

function mapStack(stack: string, positions: Positions): MappedStack {
  const lines: string[] = [];
  let first: Position | undefined;
  for (const line of stack.split('\n')) {
    const found = frame.exec(line);
    const at = found && positions.original(Number(found[2]), Number(found[3]));
    if (at) {
      first ??= at;
      const name = (found[1] ?? '').trimEnd();
      const where = `component.js:${at.line}:${at.column}`;
      lines.push(/\bat(?: async)?$/.test(name) ? `${name} ${where}` : `${name} (${where})`);
    } else if (!anyFrame.test(line)) {
      lines.push(line);
    }
  }
  return { text: lines.join('\n'), ...(first ? { first } : {}) };
}

/** V8 heads a syntax error that only it finds with the place and the line of code. */
function syntaxPosition(stack: string, positions: Positions): Position | undefined {
  const found = place.exec(stack.split('\n', 1)[0] ?? '');
  return found ? positions.original(Number(found[1]), Number(found[2] ?? 1)) : undefined;
}

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** `json` is the guest's own text, so nothing about it is taken for granted. */
export function componentError(json: string, compiled: Compiled | undefined): ComponentError {
  const given = readObject(json);
  const error = { name: textOf(given['name'], 'Error'), message: textOf(given['message'], 'Unknown error') };
  const stack = textOf(given['stack'], '');
  if (!compiled || !stack) return error;
  const positions = new Positions(compiled);
  const mapped = mapStack(stack, positions);
  const first = mapped.first ?? syntaxPosition(stack, positions);
  return { ...error, stack: mapped.text, ...first };
}

/** Console lines carry stacks too. */
export function mapConsoleText(text: string, compiled: Compiled | undefined): string {
  return compiled && text.includes('component.js:') ? mapStack(text, new Positions(compiled)).text : text;
}

export function readObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
