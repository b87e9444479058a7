// What of a task's options the feeder of listening sources is made with.
import type { TaskOptions } from '../options.ts';
import { Feeder } from './feeder.ts';
import type { FeederOptions } from './feeder.ts';

/** Who is full is heard of from the first event for a source that listens on. */
export function feederOf(
  { ambient, limits, full, context }: TaskOptions,
  more: Pick<FeederOptions, 'outbox' | 'deletions' | 'read' | 'advanced'>,
): Feeder {
  const isFull = (sourceId: string): boolean => {
    full.listen(context.log);
    return full.has(sourceId);
  };
  return new Feeder({ ambient, limits, isFull, ...more });
}
