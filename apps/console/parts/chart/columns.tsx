// A chart of columns, the bad part of each in another colour. It is drawn as three shapes for any number of columns.
import { useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { columnAt, outline } from './outline.ts';

export interface ChartColumn {
  /** Shown under the pointer. */
  readonly title: () => string;
  readonly all: number;
  /** How many of `all` failed. */
  readonly bad: number;
}

interface ColumnsProps {
  /** Everything that the chart shows, as text for readers who cannot see it. */
  readonly label: string;
  readonly columns: readonly ChartColumn[];
}

const height = 56;

export function Columns({ label, columns }: ColumnsProps): ReactNode {
  const [pointed, setPointed] = useState<number>();
  const most = Math.max(1, ...columns.map(({ all }) => all));
  const drawn = (values: readonly number[]): string =>
    outline(
      values.map((value) => value / most),
      height,
    );
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(columnAt((clientX - left) / width, columns.length));
  };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${columns.length} ${height}`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
      onPointerMove={point}
    >
      <title>{pointed === undefined ? label : columns[pointed]?.title()}</title>
      <rect className="chart-room" width={columns.length} height={height} />
      <path className="chart-bar" d={drawn(columns.map(({ all }) => all))} />
      <path className="chart-bar bad" d={drawn(columns.map(({ bad }) => bad))} />
    </svg>
  );
}
