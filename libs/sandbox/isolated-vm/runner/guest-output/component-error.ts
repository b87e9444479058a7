// Shows an error of a component to its author: with positions in the deployed source, and only the component's frames.
import type { ComponentError } from '../../../../domain/component/output.ts';
import { readObject } from './json.ts';
import type { Position, Positions } from './positions.ts';

/** The name of the component's file in its stack traces. */
export const componentFile = 'component.js';
/** The file name of the service's own code in an isolate. */
export const runtimeFile = 'runtime.js';

/** The console shows an error's fields in braces, which open after its last frame. */
const frame = /^(\s*at .*?)\(?component\.js:(\d+):(\d+)\)?( \{)?$/;
const fieldsOpening = ' {';
const anyFrame = /^\s*at /;
const filePosition = /component\.js:(\d+)(?::(\d+))?/;
/** V8 keeps ten frames of a stack; much longer stacks are forged, and shown unchanged. */
const mappedLinesMax = 1_000;

interface MappedStack {
  readonly text: string;
  readonly first?: Position;
}

function mapStack(stack: string, positions: Positions): MappedStack {
  const lines: string[] = [];
  let first: Position | undefined;
  let remaining = mappedLinesMax;
  for (const line of stack.split('\n')) {
    const found = remaining > 0 && frame.exec(line);
    if (found) remaining--;
    const position = found ? positions.original(Number(found[2]), Number(found[3])) : undefined;
    if (found && position) {
      first ??= position;
      const name = (found[1] ?? '').trimEnd();
      const location = `${position.file}:${position.line}:${position.column}`;
      lines.push((/\bat(?: async)?$/.test(name) ? `${name} ${location}` : `${name} (${location})`) + (found[4] ?? ''));
    } else if (!anyFrame.test(line)) {
      lines.push(line);
    } else if (line.endsWith(fieldsOpening)) {
      lines.push(`${lines.pop() ?? ''}${fieldsOpening}`);
    }
  }
  return { text: lines.join('\n'), ...(first ? { first } : {}) };
}

/** For a syntax error that only V8 finds, the stack begins with the position and the line of code. */
function syntaxPosition(stack: string, positions: Positions): Position | undefined {
  const found = filePosition.exec(stack.split('\n', 1)[0] ?? '');
  return found ? positions.original(Number(found[1]), Number(found[2] ?? 1)) : undefined;
}

/** Replaces the bundler's names for imports, such as `(0, import_node_util.inspect)`, by the author's. */
const restoreImportNames = (text: string): string =>
  text
    .replace(/\(0 ?, ?import_\w+\.([\w$]+)\)/g, '$1')
    .replace(/\bimport_(?:node_)?([A-Za-z_]+?)\d*\.default\b/g, '$1')
    .replace(/\bimport_(?:node_)?([A-Za-z_]+?)\d*\.([\w$]+)/g, '$2');

const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** `json` is the guest's text, which is validated. */
export function componentError(json: string, positions: Positions): ComponentError {
  const fields = readObject(json);
  const message = mapConsoleText(textOf(fields['message'], 'Unknown error'), positions);
  const error = { name: textOf(fields['name'], 'Error'), message: restoreImportNames(message) };
  const stack = restoreImportNames(textOf(fields['stack'], ''));
  if (!stack) return error;
  const mapped = mapStack(stack, positions);
  const first = mapped.first ?? syntaxPosition(stack, positions);
  return { ...error, stack: mapped.text, ...(first && { line: first.line, column: first.column }) };
}

/** A frame of the service's code. An error outside of a call of the component, such as a stream's, has only these. */
const runtimeFrame = /^[ \t]+at .*\bruntime\.js:\d+:\d+\)?(?: \{)?$/m;

/** Maps positions in a console line, which can contain stacks, as can messages about a thrown value with an error. */
export const mapConsoleText = (text: string, positions: Positions): string =>
  text.includes(`${componentFile}:`) || runtimeFrame.test(text) ? mapStack(text, positions).text : text;
