// A run's console and error for people to read: secrets masked, size bounded.
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import { secretMask } from '../secrets/mask.ts';
import { errorCharsMax, sizes } from '../sizes.ts';

/** Level, time and punctuation of one line as JSON. */
const lineOverheadBytes = 64;

export function maskConsole(console: readonly ConsoleLine[], secrets: readonly string[]): readonly ConsoleLine[] {
  const mask = secretMask(secrets);
  const lines: ConsoleLine[] = [];
  let bytes = 0;
  for (const line of console) {
    const text = mask(line.text);
    bytes += Buffer.byteLength(JSON.stringify(text)) + lineOverheadBytes;
    if (bytes > sizes.consoleBytes) {
      return [
        ...lines,
        { level: 'warn', text: `[cut: a run keeps ${sizes.consoleBytes} bytes of console]`, at: line.at },
      ];
    }
    lines.push({ ...line, text });
  }
  return lines;
}

export function maskError(error: ComponentError, secrets: readonly string[]): ComponentError {
  const mask = secretMask(secrets);
  const clean = (text: string, charsMax: number): string => mask(text).slice(0, charsMax);
  return {
    ...error,
    name: clean(error.name, errorCharsMax.name),
    message: clean(error.message, errorCharsMax.message),
    ...(error.stack === undefined ? {} : { stack: clean(error.stack, errorCharsMax.stack) }),
  };
}
