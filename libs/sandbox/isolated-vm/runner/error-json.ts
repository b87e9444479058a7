// Makes the JSON texts of errors for the product, which name the limit or the component's fault, but no host paths.
import { errorCharsMax } from '../../../domain/sizes.ts';

export type LimitName = 'wall' | 'slice' | 'cpu' | 'load' | 'memory';

const messages: Record<LimitName, (limit: number) => string> = {
  wall: (limit) => `The component did not finish within ${limit / 1000} s`,
  slice: (limit) => `The component computed for more than ${limit / 1000} s without a pause`,
  cpu: (limit) => `The component used more than ${limit / 1000} s of processor time`,
  load: (limit) => `The module did not load within ${limit / 1000} s`,
  memory: (limit) => `The component used more than ${limit} MB of memory`,
};

export const limitError = (name: LimitName, limit: number): string =>
  JSON.stringify({ name: 'LimitError', message: messages[name](limit) });

/** Keeps frames of V8 and the component; a frame with a path is the host's. */
const ownFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^\s*at /.test(line) || !/[/\\]|node:|\(isolated-vm/.test(line))
    .join('\n');

/** An error that came from the isolate, as JSON, or for the console its stack as text. */
export function errorJson(error: unknown, form: 'json' | 'text' = 'json'): string {
  const isError = error instanceof Error;
  const name = isError ? String(error.name) : 'Error';
  const message = String(isError ? error.message : error).slice(0, errorCharsMax.message);
  const stack = isError ? ownFrames(String(error.stack ?? '')).slice(0, errorCharsMax.stack) : '';
  if (form === 'text') return stack || `${name}: ${message}`;
  return JSON.stringify({ name, message, stack });
}
