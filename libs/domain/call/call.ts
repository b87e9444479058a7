// Synchronous calls to a source, whose caller waits: each succeeds or fails in time, none is repeated (decision 0036).

/**
 * `sample`: emits an event by the component's `sampleEmit`. For forms, `configure` returns the options of one prop, and
 * `props` the props that exist given the values so far.
 */
export type CallKind = 'sample' | 'configure' | 'props';

const kinds: ReadonlySet<string> = new Set<CallKind>(['sample', 'configure', 'props']);

export const isCall = (kind: string): kind is CallKind => kinds.has(kind);

/** Calls that answer with a value, emit nothing, and can be made of a component that is not deployed. */
export type FormCallKind = Exclude<CallKind, 'sample'>;
export const isFormCall = (kind: string): kind is FormCallKind => isCall(kind) && kind !== 'sample';

/** How long the caller waits for the answer. */
export const callTimeoutMs = 30_000;

/** How long the component can run: the rest of `callTimeoutMs` is for the way over the log and back. */
export const callRunTimeoutMs = 27_000;

/** The most calls to one source that wait at a gateway: they run one after another, so more would time out. */
export const waitingCallsMax = 8;

/** Name of the error of a call that might have begun and is not run again. */
export const callLostName = 'CallLostError';

/** Name of the error of a call that was not begun and can be repeated by the caller. */
export const callRefusedName = 'CallRefusedError';

/** Name of the error of a call that timed out before it could begin. */
export const callExpiredName = 'CallExpiredError';
