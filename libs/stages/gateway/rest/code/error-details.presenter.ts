// Makes the details of a refusal: the error that a component threw, and what it printed before.
import type { ComponentError, ConsoleLine } from '../../../../domain/component/output.ts';
import type { JsonObject } from '../../../../domain/json.ts';

interface FailureDetails {
  readonly error?: ComponentError;
  readonly console?: readonly ConsoleLine[];
}

/** Undefined: there are neither an error nor console lines. */
export function presentErrorDetails({ error, console = [] }: FailureDetails): JsonObject | undefined {
  if (error === undefined && console.length === 0) return undefined;
  const lines = console.map(({ level, text, at }) => ({ level, text, at_ms: at }));
  return { ...(error === undefined ? {} : errorFields(error)), console: lines };
}

function errorFields({ name, message, stack, line, column }: ComponentError): JsonObject {
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
