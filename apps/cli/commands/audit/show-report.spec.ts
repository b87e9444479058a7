// An auditor sees which workspace and time an export covers, and when it was made: a shorter or older one is whole too.
import { styleFor } from '../../output/style.ts';
import { showReport } from './show-report.ts';

const report = {
  isWhole: true,
  workspace: 'o_own',
  from: Date.UTC(2026, 5, 1),
  to: Date.UTC(2026, 6, 1),
  at: Date.UTC(2026, 6, 2),
  records: 3,
  unsigned: 0,
  outside: 1,
  checkpoints: 2,
  partitions: 5,
  keys: 'given',
  keyIds: [],
  kept: { compared: 0, beyond: 0 },
  trimmed: [],
  findings: [],
  found: 0,
} as const;

test('says which workspace and time were verified, and how much', () => {
  expect(showReport(report, styleFor(false)).split('\n')).toEqual([
    'workspace o_own, from 2026-06-01T00:00:00.000Z to 2026-07-01T00:00:00.000Z, exported at 2026-07-02T00:00:00.000Z',
    'whole: 3 events and 1 hashes of other records in 5 partitions, 2 checkpoints',
  ]);
});

test('accepts a time outside the range of dates, and a file without a header', () => {
  expect(showReport({ ...report, to: Number.MAX_SAFE_INTEGER }, styleFor(false))).toContain('to 9007199254740991');
  const findings = [
    { kind: 'file', message: 'the first line is not that of an export: is this the right file?', line: 1 },
  ] as const;
  const without = { ...report, isWhole: false, findings, found: 1, workspace: null, from: null, to: null, at: null };
  expect(showReport(without, styleFor(false)).split('\n')).toEqual([
    'wrong the first line is not that of an export: is this the right file?, line 1',
    '1 wrong: 3 events and 1 hashes of other records in 5 partitions, 2 checkpoints',
  ]);
});

test('reports the same fault of consecutive lines once', () => {
  const at = (message: string, line?: number) =>
    ({ kind: 'line', message, ...(line === undefined ? {} : { line }) }) as const;
  const findings = [at('first', 1), at('odd', 1), at('odd', 2), at('odd', 3), at('odd', 5), at('end'), at('end')];
  const lines = showReport({ ...report, isWhole: false, findings, found: 7 }, styleFor(false)).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'wrong first, line 1',
    'wrong odd, lines 1 to 3',
    'wrong odd, line 5',
    'wrong end',
    'wrong end',
  ]);
});
