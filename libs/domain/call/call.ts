// Synchronous calls: what a source is asked to do while somebody waits, answered or failed in time and never repeated (decision 0036).

/**
 * `sample`: it emits the component's `sampleEmit`. `configure` and `props` answer what a form asks: the options of one
 * prop, and which props there are for the values so far.
 */
export type CallKind = 'sample' | 'configure' | 'props';

const kinds: ReadonlySet<string> = new Set<CallKind>(['sample', 'configure', 'props']);

export const isCall = (kind: string): kind is CallKind => kinds.has(kind);

/** Calls that answer with a value, emit nothing, and can be made of a component that is not deployed. */
export type FormCallKind = Exclude<CallKind, 'sample'>;
export const isFormCall = (kind: string): kind is FormCallKind => isCall(kind) && kind !== 'sample';

/** How long the caller waits for the answer. */
export const callMs = 30_000;

/** The component's part of it: the rest is for the log and the views, there and back. */
export const callRunMs = 27_000;

/** Calls of one source that wait at a gateway: they run one after another, so more would time out. */
export const callsOfSourceMax = 8;

/** Name of the error of a call that may have begun and is not run again. */
export const callLost = 'CallLostError';

/** Name of the error of a call that was not begun and may be asked for again. */
export const callRefused = 'CallRefusedError';

/** Name of the error of a call that timed out before it could begin. */
export const callExpired = 'CallExpiredError';
