// Formats records as a table.
import width from 'fast-string-width';
import { plainLine } from '../plain-text.ts';
import { fitColumns } from './fitting.ts';

export interface Column<T> {
  readonly title: string;
  readonly value: (record: T) => string | number | null;
  /** Shown after the text, and never cut; null: nothing. */
  readonly tail?: (record: T) => string | null;
  /** Never cut: a part of an id, a time or a state is of no use. */
  readonly isNeverCut?: true;
  /** Left out if a line is too long for the terminal, the last of these columns first. */
  readonly isOptional?: true;
  /** Applied after the columns are measured. */
  readonly paint?: (text: string, record: T) => string;
}

const gap = '  ';

interface Cell {
  readonly text: string;
  readonly tail: string;
}

/** Fitted to a terminal (fitting.ts); without one (`lineChars` undefined) it has every column and nothing is cut. */
export function table<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  { lineChars, title = (text: string) => text }: { lineChars?: number | undefined; title?: (text: string) => string },
): string {
  const measured = columns.map((column) => measure(column, records));
  const shown =
    lineChars === undefined
      ? measured.map((column) => ({ column, chars: column.chars }))
      : fitColumns(measured, lineChars, gap.length);
  const line = (
    cellOf: (column: MeasuredColumn<T>) => Cell,
    paint: (text: string, column: Column<T>) => string,
  ): string => {
    let remaining = lineChars ?? Number.POSITIVE_INFINITY;
    const parts = shown.map(({ column, chars }, at) => {
      const { text, tail } = cellOf(column);
      const cut = column.isNeverCut ? text : truncate(text, Math.min(remaining, chars) - width(tail)) + tail;
      const pad = at === shown.length - 1 ? 0 : Math.max(chars - width(cut), 0);
      remaining -= width(cut) + pad + gap.length;
      return paint(cut, column.definition) + ' '.repeat(pad);
    });
    return parts.join(gap).trimEnd();
  };
  const head = line(({ definition }) => ({ text: definition.title, tail: '' }), title);
  const rows = records.map((record, n) =>
    line(
      ({ cells }) => cells[n] ?? { text: '', tail: '' },
      (text, { paint }) => (paint === undefined ? text : paint(text, record)),
    ),
  );
  return [head, ...rows].join('\n');
}

interface MeasuredColumn<T> {
  readonly definition: Column<T>;
  readonly cells: readonly Cell[];
  readonly isNeverCut: boolean;
  readonly isOptional: boolean;
  /** The width of its widest cell. */
  readonly chars: number;
  /** The width if its texts are cut to so many characters. */
  readonly cutTo: (textChars: number) => number;
}

function measure<T>(column: Column<T>, records: readonly T[]): MeasuredColumn<T> {
  const { title, value, tail, isNeverCut = false, isOptional = false } = column;
  const cells = records.map((record) => {
    const suffix = tail?.(record) ?? null;
    return { text: plainLine(String(value(record) ?? '-')), tail: suffix === null ? '' : ` ${plainLine(suffix)}` };
  });
  const cutTo = (textChars: number): number =>
    Math.max(
      Math.min(width(title), textChars),
      ...cells.map((cell) => Math.min(width(cell.text), textChars) + width(cell.tail)),
    );
  const chars = cutTo(Number.POSITIVE_INFINITY);
  return { definition: column, cells, isNeverCut, isOptional, chars, cutTo: isNeverCut ? () => chars : cutTo };
}

function truncate(text: string, chars: number): string {
  if (width(text) <= chars) return text;
  let cut = '';
  for (const char of text) {
    if (width(cut + char) > chars - 1) break;
    cut += char;
  }
  return chars < 1 ? '' : `${cut}…`;
}
