// The report of a run on the channel `$logs`.
import type { ConsoleLine } from '../component/output.ts';
import { sizes } from '../sizes.ts';
import { maskConsole } from './run-text.ts';
import { logsReport } from './logs-report.ts';

const line = (text: string, at = 1): ConsoleLine => ({ level: 'info', text, at });
const run = { runId: 'run_1', kind: 'http', outcome: 'failed' } as const;

test('a run that printed is reported on $logs with each line and its time', () => {
  expect(logsReport({ ...run, console: [line('a', 5), line('b', 6)] }, sizes.emitBytes)).toEqual({
    channel: '$logs',
    event: {
      run_id: 'run_1',
      kind: 'http',
      outcome: 'failed',
      console: [
        { level: 'info', text: 'a', ts: 5 },
        { level: 'info', text: 'b', ts: 6 },
      ],
    },
  });
});

test('a run that printed nothing is not reported', () => {
  expect(logsReport({ ...run, console: [] }, sizes.emitBytes)).toBeUndefined();
});

test('a report that is too large leaves out the console and says so', () => {
  expect(logsReport({ ...run, console: [line('x'.repeat(1_000))] }, 1_000)?.event).toEqual({
    run_id: 'run_1',
    kind: 'http',
    outcome: 'failed',
    console: [],
    omitted: ['console'],
  });
});

test('the console that a run keeps always fits into one event', () => {
  const lines = Array.from({ length: 4_000 }, (_, n) => line('"'.repeat(40), n));
  const report = logsReport({ ...run, console: maskConsole(lines, []) }, sizes.emitBytes);
  const event = report?.event as { readonly console: readonly { readonly text: string }[] } | undefined;
  expect(event?.console.at(-1)?.text).toContain('[cut: ');
});
