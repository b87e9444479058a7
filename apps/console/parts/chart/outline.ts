// Draws the columns of a chart as one shape, and finds the column under the pointer.

/** So that a column that is not 0 is visible. */
const minHeight = 2;
/** On each side of a column, as a part of its width of one unit. */
const gap = 0.1;

/** Returns an SVG path; `parts`: the height of each column, 0 to 1. A column of 0 is not drawn. */
export function outlinePath(parts: readonly number[], height: number): string {
  const columns = parts.map((part, at) => {
    const tall = Math.max(minHeight, round(part * height));
    return part === 0 ? '' : `M${round(at + gap)} ${height}v${-tall}h${1 - 2 * gap}v${tall}z`;
  });
  return columns.join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** `ratio`: horizontal position in the chart, 0 (left) to 1 (right). */
export const columnAt = (ratio: number, columns: number): number =>
  Math.min(Math.max(0, Math.floor(ratio * columns)), columns - 1);
