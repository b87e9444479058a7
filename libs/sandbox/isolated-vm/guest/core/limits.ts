// The limits that a component meets as an error of its own; the host sets them at boot and enforces them again.
export interface GuestLimits {
  readonly emitBytes: number;
  readonly emitsMax: number;
  readonly emittedBytesMax: number;
  /** What a run emits and responds. */
  readonly saidBytesMax: number;
  readonly depthMax: number;
  readonly manifestUnits: number;
  readonly responseBodyBytes: number;
  readonly consoleBytes: number;
  readonly dbValueBytes: number;
  readonly dbBytes: number;
  readonly dbWritesMax: number;
  readonly dbWrittenBytesMax: number;
  readonly timersMax: number;
  readonly timerCallsMax: number;
  readonly requestsOpenMax: number;
  readonly requestBodyBytes: number;
}

let active: GuestLimits | undefined;

export const setLimits = (limits: GuestLimits): void => {
  active = limits;
};

export const limits = (): GuestLimits => {
  if (!active) throw new Error('The sandbox has not started yet');
  return active;
};

/** Thrown to the component, and what its run record says. */
export class LimitError extends Error {
  readonly code = 'ERR_LIMIT';

  constructor(message: string) {
    super(message);
    this.name = 'LimitError';
  }
}
