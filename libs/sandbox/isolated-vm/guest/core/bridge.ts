// The guest's only way out: one mailbox of positional primitives, and one synchronous door for cryptography.

import { objectAssign, reflectApply } from './primordials.ts';

/** What the guest tells the host; the same numbers stand in runner/isolate/mailbox.ts, which checks every argument. */
export const op = { emit: 1, console: 2, respond: 3, db: 4, done: 5, timer: 6, clearTimer: 7 } as const;
export type Op = (typeof op)[keyof typeof op];

export type Primitive = string | number | boolean | null | undefined;
export type Send = (op: Op, id: number, ...args: readonly Primitive[]) => void;
export type Argument = Primitive | ArrayBuffer;
export type Sync = (op: string, ...args: readonly Argument[]) => unknown;

let sendToHost: Send | undefined;
let askHost: Sync | undefined;

/** Which invocation the code that runs now belongs to; 0 while the component loads. */
let current = 0;

export const connect = (send: Send, sync: Sync): void => {
  sendToHost = send;
  askHost = sync;
};

/** By index, here and in `ask`: spreading and destructuring go through an iterator that a component can replace. */
export const send: Send = (name, id, ...args) => sendToHost?.(name, id, args[0], args[1], args[2]);

/** Answers are `[null, result]` or `[message, undefined, code]`, because an error of the host would carry its paths. */
export function ask(name: string, ...args: readonly Argument[]): unknown {
  if (!askHost) throw new Error(`${name} is not available yet`);
  const all: Argument[] = [name];
  for (let at = 0; at < args.length; at++) all[at + 1] = args[at];
  const answer = reflectApply(askHost, undefined, all) as [string | null, unknown, string | undefined];
  if (answer[0] === null) return answer[1];
  const error = new Error(answer[0]);
  throw answer[2] === undefined ? error : objectAssign(error, { code: answer[2] });
}

export const currentInvocation = (): number => current;

export const setCurrentInvocation = (id: number): void => {
  current = id;
};
