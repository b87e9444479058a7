// Records in columns.
import width from 'fast-string-width';
import { plainLine } from '../plain-text.ts';

export interface Column<T> {
  readonly title: string;
  readonly of: (record: T) => string | number | null;
  /** Applied after the columns are measured. */
  readonly paint?: (text: string, record: T) => string;
}

const gap = '  ';
/** A long text is cut to this where the columns behind it would not be seen otherwise. */
const cutCharsMin = 8;

/** Texts are cut so that a line fits a terminal, the longest first; without one (`lineChars` undefined) nothing is. */
export function table<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  { lineChars, title = (text: string) => text }: { lineChars?: number | undefined; title?: (text: string) => string },
): string {
  const cells = records.map((record) => columns.map(({ of }) => plainLine(String(of(record) ?? '-'))));
  const wanted = columns.map((column, at) =>
    Math.max(width(column.title), ...cells.map((row) => width(row[at] ?? ''))),
  );
  const widths = lineChars === undefined ? wanted : fitted(wanted, lineChars);
  const line = (row: readonly string[], paint: (text: string, at: number) => string): string => {
    let left = lineChars ?? Number.POSITIVE_INFINITY;
    const shown = row.map((text, at) => {
      const cut = truncated(text, Math.min(left, widths[at] ?? 0));
      const pad = at === row.length - 1 ? 0 : (widths[at] ?? 0) - width(cut);
      left -= width(cut) + Math.max(pad, 0) + gap.length;
      return paint(cut, at) + ' '.repeat(Math.max(pad, 0));
    });
    return shown.join(gap).trimEnd();
  };
  const heads = columns.map((column) => column.title);
  const rows = cells.map((row, n) =>
    line(row, (text, at) => {
      const [paint, record] = [columns[at]?.paint, records[n]];
      return paint === undefined || record === undefined ? text : paint(text, record);
    }),
  );
  return [line(heads, title), ...rows].join('\n');
}

/** The first column is an id: nobody could use a part of it. */
function fitted(wanted: readonly number[], lineChars: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, chars) => sum + chars + gap.length, -gap.length) - lineChars;
  for (; over > 0; over--) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= cutCharsMin) break;
    widths[widths.indexOf(widest, 1)] = widest - 1;
  }
  return widths;
}

function truncated(text: string, chars: number): string {
  if (width(text) <= chars) return text;
  let cut = '';
  for (const char of text) {
    if (width(cut + char) > chars - 1) break;
    cut += char;
  }
  return chars < 1 ? '' : `${cut}…`;
}
