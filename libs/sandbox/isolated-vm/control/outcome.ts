// The outcome of a lost invocation, of which nothing is known.
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
