// Makes the outcome of a lost invocation, which has no output.
import type { InvocationOutcome } from '../../sandbox.ts';

const lostError = { name: 'Lost', message: 'The process that ran the component ended, or its instance was disposed' };

export const lostOutcome = (durationMs: number): InvocationOutcome => ({
  end: 'lost',
  error: lostError,
  emits: [],
  emitsBytes: 0,
  dbWrites: [],
  console: [],
  durationMs,
  cpuMs: 0,
});
