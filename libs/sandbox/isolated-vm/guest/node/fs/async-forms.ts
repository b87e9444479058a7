// Makes the callback form and the promise form of a synchronous function. Both answer in a later turn.
import { nextTick } from '../process.ts';
import { argumentError } from './fs-errors.ts';

type Sync = (...args: never[]) => unknown;
type Callback = (error: unknown, ...values: readonly unknown[]) => void;

export const promisifyCustom = Symbol.for('nodejs.util.promisify.custom');

/** Errors of arguments are thrown at once, as in Node. */
const isMisuse = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

function call(syncFunction: Sync, args: readonly unknown[]): unknown {
  return (syncFunction as (...allArgs: readonly unknown[]) => unknown)(...args);
}

/** `toValues` returns the callback's values for a result and the arguments. */
export function withCallback(
  syncFunction: Sync,
  toValues: (result: unknown, args: readonly unknown[]) => readonly unknown[] = (result) => [result],
) {
  return (...args: readonly unknown[]): void => {
    const callback = args.at(-1) as Callback;
    if (typeof callback !== 'function') {
      throw argumentError('ERR_INVALID_ARG_TYPE', 'The "cb" argument must be of type function. Received undefined');
    }
    const syncArgs = args.slice(0, -1);
    const callbackValues = callbackArgs(syncFunction, syncArgs, toValues);
    nextTick(callback as (...values: unknown[]) => void, ...callbackValues);
  };
}

function callbackArgs(
  syncFunction: Sync,
  args: readonly unknown[],
  toValues: (result: unknown, args: readonly unknown[]) => readonly unknown[],
): readonly unknown[] {
  try {
    const result = call(syncFunction, args);
    return result === undefined ? [null] : [null, ...toValues(result, args)];
  } catch (error) {
    if (isMisuse(error)) throw error;
    return [error];
  }
}

export const withPromise =
  (syncFunction: Sync) =>
  async (...args: readonly unknown[]): Promise<unknown> =>
    call(syncFunction, args);

/** Sets the form that `util.promisify` returns for a function whose callback has two values. */
export function setPromisified<F extends object>(callbackForm: F, syncFunction: Sync, countField: string): F {
  const promiseForm = async (...args: readonly unknown[]): Promise<object> => ({
    [countField]: call(syncFunction, args),
    buffer: args[1],
  });
  return Object.defineProperty(callbackForm, promisifyCustom, { value: promiseForm });
}
