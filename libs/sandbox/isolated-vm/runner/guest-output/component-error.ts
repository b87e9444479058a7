// An error of a component as its author should see it: positions in the deployed source, only the component's frames.
import type { ComponentError } from '../../../../domain/component/output.ts';
import { readObject } from './json.ts';
import type { Position, Positions } from './positions.ts';

/** The name of the component's file in its stack traces. */
export const componentFile = 'component.js';
/** That of the service's own code around it. */
export const runtimeFile = 'runtime.js';

/** The console shows an error's fields in braces that open behind its last frame. */
const frame = /^(\s*at .*?)\(?component\.js:(\d+):(\d+)\)?( \{)?$/;
const opening = ' {';
const anyFrame = /^\s*at /;
const place = /component\.js:(\d+)(?::(\d+))?/;
/** V8 keeps ten frames of a stack; longer ones are forged, and are shown as they are. */
const mappedLinesMax = 1_000;

interface MappedStack {
  readonly text: string;
  readonly first?: Position;
}

function mapStack(stack: string, positions: Positions): MappedStack {
  const lines: string[] = [];
  let first: Position | undefined;
  let left = mappedLinesMax;
  for (const line of stack.split('\n')) {
    const found = left > 0 && frame.exec(line);
    if (found) left--;
    const at = found ? positions.original(Number(found[2]), Number(found[3])) : undefined;
    if (found && at) {
      first ??= at;
      const name = (found[1] ?? '').trimEnd();
      const where = `${at.file}:${at.line}:${at.column}`;
      lines.push((/\bat(?: async)?$/.test(name) ? `${name} ${where}` : `${name} (${where})`) + (found[4] ?? ''));
    } else if (!anyFrame.test(line)) {
      lines.push(line);
    } else if (line.endsWith(opening)) {
      lines.push(`${lines.pop() ?? ''}${opening}`);
    }
  }
  return { text: lines.join('\n'), ...(first ? { first } : {}) };
}

/** For a syntax error that only V8 finds, the stack begins with the place and the line of code. */
function syntaxPosition(stack: string, positions: Positions): Position | undefined {
  const found = place.exec(stack.split('\n', 1)[0] ?? '');
  return found ? positions.original(Number(found[1]), Number(found[2] ?? 1)) : undefined;
}

/** What is imported has a name of the bundler's in the compiled text: `(0, import_node_util.inspect)`. */
const asWritten = (text: string): string =>
  text
    .replace(/\(0 ?, ?import_\w+\.([\w$]+)\)/g, '$1')
    .replace(/\bimport_(?:node_)?([A-Za-z_]+?)\d*\.default\b/g, '$1')
    .replace(/\bimport_(?:node_)?([A-Za-z_]+?)\d*\.([\w$]+)/g, '$2');

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** `json` is the guest's own text: nothing in it is trusted. */
export function componentError(json: string, positions: Positions): ComponentError {
  const given = readObject(json);
  const message = mapConsoleText(textOf(given['message'], 'Unknown error'), positions);
  const error = { name: textOf(given['name'], 'Error'), message: asWritten(message) };
  const stack = asWritten(textOf(given['stack'], ''));
  if (!stack) return error;
  const mapped = mapStack(stack, positions);
  const first = mapped.first ?? syntaxPosition(stack, positions);
  return { ...error, stack: mapped.text, ...(first && { line: first.line, column: first.column }) };
}

/** The stack of an error that nobody in the component was called for, as by a stream, has such frames alone. */
const runtimeFrame = /^[ \t]+at .*\bruntime\.js:\d+:\d+\)?(?: \{)?$/m;

/** Console lines carry stacks too, as do messages about a thrown value that holds an error. */
export const mapConsoleText = (text: string, positions: Positions): string =>
  text.includes(`${componentFile}:`) || runtimeFrame.test(text) ? mapStack(text, positions).text : text;
