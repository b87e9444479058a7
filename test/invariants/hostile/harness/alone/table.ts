// The table of `npm run hostile`: a line for each case, printed when the case ends.
import type { CaseResult } from './run-case.ts';

const columns: readonly (readonly [title: string, width: number, cell: (one: CaseResult) => string])[] = [
  ['case', 64, (one) => one.case],
  ['health p99 ms', 14, ({ healthP99Ms }) => healthP99Ms.toFixed(0)],
  ['neighbour p99', 14, ({ neighbourRatio }) => `x ${neighbourRatio.toFixed(2)}`],
  ['memory', 8, ({ memoryRatio }) => `x ${memoryRatio.toFixed(2)}`],
  ['start ms', 9, ({ startMs }) => startMs.toFixed(0)],
  ['', 5, ({ broken }) => (broken.length > 0 ? 'MISS' : 'ok')],
  ['said', 80, ({ said }) => said.replaceAll(/\s+/g, ' ')],
];

const tableLine = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => cell.slice(0, columns[at]?.[1]).padEnd((columns[at]?.[1] ?? 0) + 1))
    .join('')
    .trimEnd();

export const tableHeading = tableLine(columns.map(([title]) => title));
export const tableRow = (one: CaseResult): string => tableLine(columns.map(([, , cell]) => cell(one)));
