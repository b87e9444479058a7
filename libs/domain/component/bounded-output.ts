// Cuts a component's console and error to the size that fits into a record.
import { errorCharsMax, sizes } from '../sizes.ts';
import type { ComponentError, ConsoleLine } from './output.ts';
import { pathCharsMax } from './program/program.ts';

/** Level, time and punctuation of one line as JSON. */
const lineOverheadBytes = 64;
const cutMark = `[cut: a run keeps ${sizes.consoleBytes} bytes of console]`;

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
const lineBytes = ({ text }: Pick<ConsoleLine, 'text'>): number => jsonBytes(text) + lineOverheadBytes;

/** The lines within the limit of one run. The first line that does not fit is cut, and a mark ends the list. */
export function boundedConsole(lines: readonly ConsoleLine[]): readonly ConsoleLine[] {
  if (lines.reduce((sum, line) => sum + lineBytes(line), 0) <= sizes.consoleBytes) return lines;
  const bounded: ConsoleLine[] = [];
  let remainingBytes = sizes.consoleBytes - lineBytes({ text: cutMark });
  for (const line of lines) {
    const bytes = lineBytes(line);
    if (bytes > remainingBytes) {
      const text = beginningOf(line.text, remainingBytes - lineOverheadBytes);
      if (text !== '') bounded.push({ ...line, text });
      bounded.push({ level: 'warn', text: cutMark, at: line.at });
      break;
    }
    remainingBytes -= bytes;
    bounded.push(line);
  }
  return bounded;
}

/** The longest beginning that takes at most `bytesMax` bytes as JSON, in whole characters. */
function beginningOf(text: string, bytesMax: number): string {
  let fits = 0;
  let tooLong = Math.min(text.length, bytesMax) + 1;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (jsonBytes(text.slice(0, middle)) <= bytesMax) fits = middle;
    else tooLong = middle;
  }
  const endsInHalf = /[\ud800-\udbff]/.test(text.charAt(fits - 1));
  return text.slice(0, endsInHalf ? fits - 1 : fits);
}

export function boundedError({ name, message, stack, ...position }: ComponentError): ComponentError {
  return {
    ...position,
    name: name.slice(0, errorCharsMax.name),
    message: message.slice(0, errorCharsMax.message),
    ...(stack === undefined ? {} : { stack: stack.slice(0, errorCharsMax.stack) }),
  };
}

/** `TypeError: x is not a function (line 3, column 4)`; of a component of several files `(lib/x.js, line 3, column 4)`. */
export function describeError({ name, message, stack = '', line, column }: ComponentError): string {
  if (line === undefined) return `${name}: ${message}`;
  const file = column === undefined ? undefined : fileIn(stack, `:${line}:${column}`);
  const at = [
    ...(file === undefined ? [] : [file]),
    `line ${line}`,
    ...(column === undefined ? [] : [`column ${column}`]),
  ];
  return `${name}: ${message} (${at.join(', ')})`;
}

/** The file name of a component of one file in its stacks. */
const onlyFile = 'component.js';
const frameStart = /^\s*at (?:async )?/;

/** The file of the first frame at `position`; undefined if there is none, as in a stack that the author wrote. */
function fileIn(stack: string, position: string): string | undefined {
  const frames = stack.split('\n').filter((text) => frameStart.test(text));
  const found = frames.find((text) => text.endsWith(position) || text.endsWith(`${position})`));
  if (found === undefined) return undefined;
  const location = found.endsWith(')') ? found.slice(found.indexOf(' (') + 2) : found.replace(frameStart, '');
  const file = location.slice(0, location.lastIndexOf(position));
  return file === onlyFile || file.length > pathCharsMax ? undefined : file;
}
