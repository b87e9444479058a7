// A chart of columns, the bad part of each in another colour. It is drawn as three shapes for any number of columns.
import { useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { columnAt, outlinePath } from './outline.ts';

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
  const [hovered, setHovered] = useState<number>();
  const max = Math.max(1, ...columns.map(({ all }) => all));
  const pathOf = (values: readonly number[]): string =>
    outlinePath(
      values.map((value) => value / max),
      height,
    );
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setHovered(columnAt((clientX - left) / width, columns.length));
  };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${columns.length} ${height}`}
      preserveAspectRatio="none"
      height={height}
      width="100%"
      onPointerMove={onPointerMove}
    >
      <title>{hovered === undefined ? label : columns[hovered]?.title()}</title>
      <rect className="chart-room" width={columns.length} height={height} />
      <path className="chart-bar" d={pathOf(columns.map(({ all }) => all))} />
      <path className="chart-bar bad" d={pathOf(columns.map(({ bad }) => bad))} />
    </svg>
  );
}
