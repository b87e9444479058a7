// Keeps the limits that the host sets at boot, and defines the error for a component that exceeds one.
import type { GuestLimits } from '../../wire.ts';

let active: GuestLimits | undefined;

export const setLimits = (limits: GuestLimits): void => {
  active = limits;
};

export const limits = (): GuestLimits => {
  if (!active) throw new Error('The sandbox has not started yet');
  return active;
};

/** Thrown to the component, and shown in its run record. */
export class LimitError extends Error {
  readonly code = 'ERR_LIMIT';

  constructor(message: string) {
    super(message);
    this.name = 'LimitError';
  }
}
