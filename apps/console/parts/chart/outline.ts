// The columns of a chart as one shape, and which of them is under the pointer.

/** A column that stands for something can be seen. */
const leastHeight = 2;
/** Of the room that each has, one unit wide. */
const gap = 0.1;

/** The path of an SVG; `parts`: how much of the height each takes, 0 to 1. Those of 0 are not drawn. */
export function outline(parts: readonly number[], height: number): string {
  const columns = parts.map((part, at) => {
    const tall = Math.max(leastHeight, round(part * height));
    return part === 0 ? '' : `M${round(at + gap)} ${height}v${-tall}h${1 - 2 * gap}v${tall}z`;
  });
  return columns.join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** `across`: how far to the right of the chart, 0 to 1. */
export const columnAt = (across: number, columns: number): number =>
  Math.min(Math.max(0, Math.floor(across * columns)), columns - 1);
