// How much of a component's console and error the events of its deploy hold, so that they always fit into a record.
import { errorCharsMax, sizes } from '../sizes.ts';
import type { ComponentError, ConsoleLine } from './output.ts';

/** The first lines, as many as one run's console may hold. */
export function boundedConsole(lines: readonly ConsoleLine[]): readonly ConsoleLine[] {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(JSON.stringify(line))) > sizes.consoleBytes);
  return end < 0 ? lines : lines.slice(0, end);
}

export function boundedError({ name, message, stack, ...place }: ComponentError): ComponentError {
  return {
    ...place,
    name: name.slice(0, errorCharsMax.name),
    message: message.slice(0, errorCharsMax.message),
    ...(stack === undefined ? {} : { stack: stack.slice(0, errorCharsMax.stack) }),
  };
}

/** `TypeError: x is not a function (line 3, column 4)`. */
export function describeError({ name, message, line, column }: ComponentError): string {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return `${name}: ${message}${place}`;
}
