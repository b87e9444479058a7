// The picture of a chart: columns side by side, each with room above it, and what is bad of it in another colour.
import type { ReactNode } from 'react';

export interface ChartColumn {
  readonly key: string | number;
  /** Shown under the pointer. */
  readonly title: string;
  readonly all: number;
  /** Of `all`. */
  readonly bad: number;
}

interface ColumnsProps {
  /** All that the chart says, for who cannot see it. */
  readonly label: string;
  readonly columns: readonly ChartColumn[];
}

const height = 56;
/** A column that stands for something can be seen. */
const leastHeight = 2;

export function Columns({ label, columns }: ColumnsProps): ReactNode {
  const most = Math.max(1, ...columns.map(({ all }) => all));
  const tall = (value: number): number => (value === 0 ? 0 : Math.max(leastHeight, (value / most) * height));
  const column = (kind: string, x: number, value: number): ReactNode => (
    <rect className={kind} x={x + 0.1} y={height - tall(value)} width={0.8} height={tall(value)} />
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${columns.length} ${height}`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
    >
      {columns.map(({ key, title, all, bad }, x) => (
        <g key={key}>
          <title>{title}</title>
          <rect className="chart-room" x={x} y={0} width={1} height={height} />
          {column('chart-bar', x, all)}
          {column('chart-bar bad', x, bad)}
        </g>
      ))}
    </svg>
  );
}
