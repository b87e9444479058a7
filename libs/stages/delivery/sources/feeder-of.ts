// Makes the feeder of listening sources from a task's options.
import type { TaskOptions } from '../delivery-options.ts';
import { Feeder } from './feeder.ts';
import type { FeederOptions } from './feeder.ts';

/** Begins to listen for full sources at the first event for a listening source. */
export function feederOf(
  { ambient, limits, full, context, transformer }: TaskOptions,
  more: Pick<FeederOptions, 'outbox' | 'deletions' | 'read' | 'advanced'>,
): Feeder {
  const isFull = (sourceId: string): boolean => {
    full.listen(context.log);
    return full.has(sourceId);
  };
  return new Feeder({ ambient, limits, transformer, isFull, ...more });
}
