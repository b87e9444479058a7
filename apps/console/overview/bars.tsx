// A bar for each minute or hour, the failed part of it in another colour; the numbers stand in a table for who cannot see them.
import type { ReactNode } from 'react';
import { count, exact } from '../parts/format.ts';

export interface Bar {
  /** Epoch ms. */
  readonly ts: number;
  readonly all: number;
  readonly bad: number;
}

interface BarsProps {
  readonly title: string;
  readonly step: 'minute' | 'hour';
  readonly bars: readonly Bar[];
}

const height = 56;
/** A bar that stands for something can be seen. */
const leastHeight = 2;

export function Bars({ title, step, bars }: BarsProps): ReactNode {
  const total = bars.reduce((sum, { all }) => sum + all, 0);
  const failed = bars.reduce((sum, { bad }) => sum + bad, 0);
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const tall = (value: number): number => (value === 0 ? 0 : Math.max(leastHeight, (value / most) * height));
  return (
    <figure className="chart">
      <figcaption>
        <span className="dim small">{title}</span>
        <strong>{count(total)}</strong>
        {failed === 0 ? null : <span className="chart-bad small">{count(failed)} failed</span>}
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: ${total}, of which ${failed} failed; at most ${most} a ${step}`}
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
        height={height}
        width="100%"
      >
        {bars.map(({ ts, all, bad }, at) => (
          <g key={ts}>
            <title>{`${exact(ts)}: ${all}${bad === 0 ? '' : `, ${bad} failed`}`}</title>
            <rect className="chart-room" x={at} y={0} width={1} height={height} />
            <rect className="chart-bar" x={at + 0.1} y={height - tall(all)} width={0.8} height={tall(all)} />
            <rect className="chart-bar bad" x={at + 0.1} y={height - tall(bad)} width={0.8} height={tall(bad)} />
          </g>
        ))}
      </svg>
    </figure>
  );
}
