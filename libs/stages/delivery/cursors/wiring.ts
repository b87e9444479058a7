// Makes the catch-up reader and the back-pressure from a task's options.
import type { TaskOptions } from '../delivery-options.ts';
import { LineReads } from './by-key/line-reads.ts';
import { CatchUp, type CatchUpOptions } from './catch-up.ts';
import { Pressure, type PressureOptions } from './pressure.ts';

export function catchUpOf(
  { context, readSlots, limits }: TaskOptions,
  more: Pick<CatchUpOptions, 'buffer' | 'sourceRecords' | 'tailAt' | 'fed'>,
): CatchUp {
  const { log, partition } = context;
  const { buffer, fed } = more;
  const lines = new LineReads({ context, readSlots, limits, buffer, fed: (cursor) => fed(cursor, true) });
  return new CatchUp({ log, partition, readSlots, limits, lines, fail: (error) => context.fail(error), ...more });
}

export function pressureOf(
  { context, limits }: TaskOptions,
  more: Pick<PressureOptions, 'buffer' | 'cursors' | 'fell'>,
): Pressure {
  return new Pressure({
    limits,
    pause: () => context.pause('channels', context.partition),
    resume: () => context.resume('channels', context.partition),
    ...more,
  });
}
