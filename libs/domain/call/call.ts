// Synchronous calls: what a source is asked to do while somebody waits, answered or failed in time and never repeated (decision 0036).

/** `sample`: it emits the component's `sampleEmit`. */
export type CallKind = 'sample';

const kinds: ReadonlySet<string> = new Set<CallKind>(['sample']);

export const isCall = (kind: string): kind is CallKind => kinds.has(kind);

/** How long whoever calls waits for the answer. */
export const callMs = 30_000;

/** Of it for the component: the rest is for the log and the views on both ways. */
export const callRunMs = 27_000;

/** Of one source, those that wait at a gateway: they run one after another, and more would wait in vain. */
export const callsOfSourceMax = 8;

/** Names the error of a call that may have begun and is not run again. */
export const callLost = 'CallLostError';

/** Names the error of a call that was not begun, and may be asked for again. */
export const callRefused = 'CallRefusedError';

/** Names the error of a call whose time was over before it could begin. */
export const callExpired = 'CallExpiredError';
