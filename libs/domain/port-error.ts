// The error of a port: what went wrong, and whether a retry can help.

export type PortErrorCode =
  /** The other side is not answering. Nothing was done. */
  | 'unavailable'
  /** It is unknown whether the operation was done: find out before continuing. */
  | 'unknown_outcome'
  /** A newer owner has taken over: stop. */
  | 'fenced'
  /** Above a limit of sizes.ts. Nothing was done. */
  | 'too_large'
  /** The stored data is damaged, or of another program. */
  | 'corrupt'
  /** The stored data is of this program but was made with other settings. */
  | 'mismatch'
  /** Another process is using it. */
  | 'in_use'
  /** This process has closed the port. */
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
