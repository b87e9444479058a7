// Reduces several runs of a bench to one figure for each name, and formats figures as a table.
import type { Figure } from './figure.ts';

/** The median run of each figure, by its ratio, which depends less on the machine's load, or else by its value. */
export function median(runs: readonly (readonly Figure[])[]): readonly Figure[] {
  const byName = Map.groupBy(runs.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((figures) => {
    const sorted = figures.toSorted((a, b) => (a.ratio ?? a.value) - (b.ratio ?? b.value));
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle === undefined ? [] : [middle];
  });
}

const headings = ['figure', 'value', 'unit', 'bound', 'ratio', 'goal'];

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, bound, ratio, goal }) => [
    name,
    formatValue(value),
    unit,
    formatValue(bound),
    ratio === null ? '' : ratio.toFixed(2),
    goal ?? '',
  ]);
  const widths = headings.map((_, column) => Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** Three significant digits; whole numbers from a hundred on. */
function formatValue(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
