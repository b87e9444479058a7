// Anything that was thrown, as three texts; reading them cannot throw.
import { errorCharsMax } from '../../../../domain/sizes.ts';
import { stringSlice, toText } from './primordials.ts';

export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Twice what a run record keeps: the host masks secrets before it cuts, so no secret may arrive cut in half. */
const nameMax = 2 * errorCharsMax.name;
const messageMax = 2 * errorCharsMax.message;
const stackMax = 2 * errorCharsMax.stack;

const describeValue = (value: unknown): string => {
  try {
    return toText(value);
  } catch {
    return 'a value that cannot be shown';
  }
};

function textOf(error: object, field: string, limit: number): string | undefined {
  try {
    const value = (error as Record<string, unknown>)[field];
    return value === undefined || value === null ? undefined : stringSlice(toText(value), 0, limit);
  } catch {
    return undefined;
  }
}

export function describeError(error: unknown): ErrorText {
  if ((typeof error !== 'object' || error === null) && typeof error !== 'function') {
    return { name: 'Error', message: stringSlice(describeValue(error), 0, messageMax), stack: '' };
  }
  return {
    name: textOf(error, 'name', nameMax) ?? 'Error',
    message: textOf(error, 'message', messageMax) ?? stringSlice(describeValue(error), 0, messageMax),
    stack: textOf(error, 'stack', stackMax) ?? '',
  };
}
