// The guest's only ways out: a mailbox of positional primitives, and two functions, for quick and slow operations.
import { isQuickOperation, type ToHost } from '../../wire.ts';
import { splitText } from './pieces.ts';
import { byteLength, objectAssign, reflectApply } from './primordials.ts';

export { toHost } from '../../wire.ts';

export type Primitive = string | number | boolean | null | undefined;
export type Argument = Primitive | ArrayBuffer;
export type Send = (message: ToHost, id: number, ...args: readonly Argument[]) => void;
export type Ask = (op: string, ...args: readonly Argument[]) => unknown;

/** An isolated-vm Reference to slow operations: the guest's thread waits for the result, the host's continues. */
export interface SlowReference {
  readonly applySyncPromise: (self: undefined, args: readonly Argument[], options: object) => unknown;
}

let sendToHost: Send | undefined;
let askQuickly: Ask | undefined;
let askSlowly: Ask | undefined;

/** The invocation that the running code belongs to; 0 while the component loads. */
let current = 0;

/** Copies the arguments. Has no prototype, so that a component cannot add an option. */
const slowOptions = Object.freeze({
  __proto__: null,
  arguments: Object.freeze({ __proto__: null, copy: true }),
});

export const connect = (send: Send, quick: Ask, slow: SlowReference): void => {
  sendToHost = send;
  askQuickly = quick;
  const { applySyncPromise } = slow;
  askSlowly = (...args) => reflectApply(applySyncPromise, slow, [undefined, args, slowOptions]);
};

/** Reading an index beyond a list's end reaches its prototype, where a component can put a buffer. */
const argumentAt = (args: readonly Argument[], at: number): Argument => (at < args.length ? args[at] : undefined);

/** By index, here and in `ask`: spreading and destructuring go through an iterator that a component can replace. */
export const send: Send = (name, id, ...args) => {
  const all: Argument[] = [name, id, argumentAt(args, 0), argumentAt(args, 1), argumentAt(args, 2)];
  if (splitText(all)) reflectApply(sendToHost, undefined, all);
  else sendToHost?.(name, id, all[2], all[3], all[4]);
};

const bytesOf = (value: Argument): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? byteLength(value) : 0;

const OwnRangeError = RangeError;
const OwnTypeError = TypeError;

function errorOf(message: string, kind: unknown): Error {
  if (kind === 'RangeError') return new OwnRangeError(message);
  return kind === 'TypeError' ? new OwnTypeError(message) : new Error(message);
}

/**
 * The host answers `[null, result]` or `[message, undefined, code, kind]`: its Error objects would expose paths.
 */
export function ask(name: string, ...args: readonly Argument[]): unknown {
  const all: Argument[] = [name];
  let bytes = 0;
  for (let at = 0; at < args.length; at++) {
    all[at + 1] = args[at];
    bytes += bytesOf(args[at]);
  }
  const askHost = isQuickOperation(name, bytes) ? askQuickly : askSlowly;
  if (!askHost) throw new Error(`${name} is not available yet`);
  const answer = reflectApply(askHost, undefined, all) as [string | null, unknown, string | undefined, unknown];
  if (answer[0] === null) return answer[1];
  const error = errorOf(answer[0], answer[3]);
  throw answer[2] === undefined ? error : objectAssign(error, { code: answer[2] });
}

export const currentInvocation = (): number => current;

export const setCurrentInvocation = (id: number): void => {
  current = id;
};
