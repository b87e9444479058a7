// Draws the table of console.table as Node does: rows and columns in a frame.
import { inspect } from 'node-inspect-extracted';

/** More rows are not shown, because a table is for people. */
const rowsMax = 1_000;
const columnsMax = 50;
const indexColumn = '(index)';
const valuesColumn = 'Values';

interface Row {
  readonly index: string;
  readonly cells: ReadonlyMap<string, string>;
}

const cell = (value: unknown): string =>
  inspect(value, {
    depth: typeof value === 'object' && value !== null ? 0 : 1,
    maxArrayLength: 3,
    breakLength: Infinity,
  });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function entriesOf(data: object): readonly (readonly [string, unknown])[] {
  if (data instanceof Map)
    return [...data].slice(0, rowsMax).map(([key, value], at) => [String(at), { Key: key, [valuesColumn]: value }]);
  if (data instanceof Set) return [...data].slice(0, rowsMax).map((value, at) => [String(at), value]);
  return Object.keys(data)
    .slice(0, rowsMax)
    .map((key) => [key, (data as Record<string, unknown>)[key]]);
}

function rowOf(index: string, value: unknown, requestedColumns: readonly string[] | undefined): Row {
  if (!isObject(value)) return { index, cells: new Map([[valuesColumn, cell(value)]]) };
  const names = (requestedColumns ?? Object.keys(value))
    .slice(0, columnsMax)
    .filter((name) => Object.hasOwn(value, name));
  return { index, cells: new Map(names.map((name) => [name, cell((value as Record<string, unknown>)[name])])) };
}

/** Rows that are no objects have their value in an additional last column. */
function columnsOf(rows: readonly Row[], requestedColumns: readonly string[] | undefined): readonly string[] {
  const names = new Set(requestedColumns ?? rows.flatMap(({ cells }) => [...cells.keys()]));
  const hasValues = rows.some(({ cells }) => cells.has(valuesColumn));
  names.delete(valuesColumn);
  const columns = [...names].slice(0, columnsMax);
  return hasValues ? [...columns, valuesColumn] : columns;
}

function renderTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...lines.map((line) => line[at]?.length ?? 0)) + 2);
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
  const line = (texts: readonly string[]): string =>
    `│${texts.map((text, at) => ` ${text}`.padEnd(widths[at] ?? 0)).join('│')}│`;
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...lines.map(line), rule('└', '┴', '┘')].join('\n');
}

/** Undefined for a value that has no rows. */
export function table(data: unknown, columns: unknown): string | undefined {
  if (!isObject(data)) return undefined;
  const requestedColumns = Array.isArray(columns) ? columns.map(String) : undefined;
  const rows = entriesOf(data).map(([index, value]) => rowOf(index, value, requestedColumns));
  const names = columnsOf(rows, requestedColumns);
  const lines = rows.map(({ index, cells }) => [index, ...names.map((name) => cells.get(name) ?? '')]);
  return renderTable([data instanceof Map || data instanceof Set ? '(iteration index)' : indexColumn, ...names], lines);
}
