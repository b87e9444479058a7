// Masks the secrets in a run's console and error, and bounds their sizes.
import { boundedConsole } from '../component/bounded-output.ts';
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import { secretMask } from '../secrets/mask.ts';
import { errorCharsMax } from '../sizes.ts';

/** A line as it was printed. */
export interface PrintedLine extends ConsoleLine {
  /** The end of the line is missing, so that it might end within a secret. */
  readonly cut?: true;
}

export function maskConsole(console: readonly PrintedLine[], secrets: readonly string[]): readonly ConsoleLine[] {
  const mask = secretMask(secrets);
  return boundedConsole(console.map(({ cut, ...line }) => ({ ...line, text: mask(line.text, cut) })));
}

export function maskError(error: ComponentError, secrets: readonly string[]): ComponentError {
  const mask = secretMask(secrets);
  const maskAndCut = (text: string, charsMax: number): string => mask(text).slice(0, charsMax);
  return {
    ...error,
    name: maskAndCut(error.name, errorCharsMax.name),
    message: maskAndCut(error.message, errorCharsMax.message),
    ...(error.stack === undefined ? {} : { stack: maskAndCut(error.stack, errorCharsMax.stack) }),
  };
}
