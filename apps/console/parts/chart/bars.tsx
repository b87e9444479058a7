// A chart with a bar for each time step, its failed part in another colour, below the totals.
import type { ReactNode } from 'react';
import { formatCount, formatExactTime } from '../format.ts';
import { Columns } from './columns.tsx';

export interface Bar {
  /** Epoch ms. */
  readonly ts: number;
  readonly all: number;
  readonly bad: number;
}

interface BarsProps {
  readonly title: string;
  /** The time that one bar covers, such as `hour`. */
  readonly per: string;
  readonly bars: readonly Bar[];
  /** The name of the coloured part, unless the title gives it. */
  readonly bad?: string;
}

export function Bars({ title, per, bars, bad: name }: BarsProps): ReactNode {
  const total = bars.reduce((sum, { all }) => sum + all, 0);
  const failed = name === undefined ? 0 : bars.reduce((sum, { bad }) => sum + bad, 0);
  const max = Math.max(1, ...bars.map(({ all }) => all));
  return (
    <figure className="chart">
      <figcaption>
        <span className="dim small">{title}</span>
        <strong>{formatCount(total)}</strong>
        {failed === 0 ? null : (
          <span className="chart-bad small">
            {formatCount(failed)} {name}
          </span>
        )}
      </figcaption>
      <Columns
        label={`${title}: ${total}${name === undefined ? '' : `, of which ${failed} ${name}`}; at most ${max} per ${per}`}
        columns={bars.map(({ ts, all, bad }) => ({
          all,
          bad,
          title: () => `${formatExactTime(ts)}: ${all}${bad === 0 || name === undefined ? '' : `, ${bad} ${name}`}`,
        }))}
      />
    </figure>
  );
}
