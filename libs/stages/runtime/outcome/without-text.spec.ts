import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { withoutText } from './without-text.ts';

const outcome: InvocationOutcome = {
  end: 'threw',
  emits: [],
  emitsBytes: 0,
  dbWrites: [],
  durationMs: 1,
  cpuMs: 1,
  console: [{ level: 'log', text: 'private', at: 1 }],
  requests: { count: 1, list: [{ method: 'GET', host: 'private.example', status: 200, durationMs: 1 }] },
};

test.each([
  ['TypeError', 'TypeError'],
  ['LimitError', 'LimitError'],
  ['private', 'Error'],
  ['privateError', 'Error'],
])('keeps an error named %s as %s with its line and column, and drops all other text of the run', (name, kept) => {
  const error = { name, message: 'private', stack: 'at private', line: 3, column: 4 };
  expect(withoutText({ ...outcome, error })).toEqual({
    ...outcome,
    console: [],
    requests: { count: 1, list: [] },
    error: { name: kept, message: expect.stringContaining('x-pd-nostore'), line: 3, column: 4 },
  });
});
