// The guest's only way out: one mailbox of positional primitives, and one synchronous door for cryptography.

/** What the guest tells the host; the same numbers stand in runner/mailbox.ts, which checks every argument. */
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

export const send: Send = (name, id, ...args) => sendToHost?.(name, id, ...args);

/** Answers are `[null, result]` or `[message, undefined, code]`, because an error of the host would carry its paths. */
export function ask(name: string, ...args: readonly Argument[]): unknown {
  if (!askHost) throw new Error(`${name} is not available yet`);
  const [message, result, code] = askHost(name, ...args) as [string | null, unknown, string | undefined];
  if (message === null) return result;
  throw code === undefined ? new Error(message) : Object.assign(new Error(message), { code });
}

export const currentInvocation = (): number => current;

export const setCurrentInvocation = (id: number): void => {
  current = id;
};
