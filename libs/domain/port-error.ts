// Trouble at a port: what went wrong, and whether trying again can help.

export type PortErrorCode =
  /** The other side is not answering. Nothing was done. */
  | 'unavailable'
  /** The operation may or may not have been done: settle that before going on. */
  | 'unknown_outcome'
  /** A newer owner has taken over: give up. */
  | 'fenced'
  /** Above a limit of sizes.ts. Nothing was done. */
  | 'too_large'
  /** The stored data is damaged, or not ours. */
  | 'corrupt'
  /** The stored data is ours but was made with other settings. */
  | 'mismatch'
  /** Another process is using it. */
  | 'in_use'
  /** It was closed here. */
  | 'closed';

const retryableCodes: ReadonlySet<PortErrorCode> = new Set(['unavailable', 'unknown_outcome']);

export class PortError extends Error {
  readonly code: PortErrorCode;
  readonly retryable: boolean;

  /** `message` names the thing, the state found, and what to do. */
  constructor(code: PortErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PortError';
    this.code = code;
    this.retryable = retryableCodes.has(code);
  }
}
