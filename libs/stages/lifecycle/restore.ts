// Folds the control plane's state from the log when the partition is taken over.
import { isDeploying } from '../../domain/component/sources.ts';
import { partitionCount } from '../../domain/flow.ts';
import type { TopicName } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { positionKey } from '../../log/log.ts';
import type { Log, Positions } from '../../log/log.ts';
import type { TaskContext } from '../loop/stage.ts';
import type { ControlPlane } from './control-plane.ts';

/** Lifecycle's own outputs. */
const ownTopics = ['workspaces', 'keys', 'components', 'listeners', 'alerts'] as const;
/** Small enough to let the process breathe between pages, since components hold their code. */
const pageBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };

/**
 * Its own outputs to their ends, then the hook outcomes below the mark: they alone say how far a deploy under way is and
 * what it has printed. Throws WrongMasterKeyError.
 */
export async function restore(
  plane: ControlPlane,
  { log, tolerate }: Pick<TaskContext, 'log' | 'tolerate'>,
  positions: Positions,
): Promise<void> {
  for (const topic of ownTopics) {
    for (const partition of partitionsOf(topic, log)) {
      const to = await log.end(topic, partition);
      await readAll(log, { topic, partition, to }, (record) => tolerate(record, () => plane.evolve(topic, record)));
    }
  }
  plane.checkKeys();
  if (![...plane.sources.byId.keys()].some((id) => isDeploying(plane.sources, id))) return;
  for (const partition of partitionsOf('hooks', log)) {
    const to = positions[positionKey('hooks', partition)] ?? 0;
    await readAll(log, { topic: 'hooks', partition, to }, (record) => {
      if (isDeploying(plane.sources, record.key)) tolerate(record, () => plane.evolve('hooks', record));
    });
  }
}

export const partitionsOf = (topic: TopicName, log: Log): readonly number[] =>
  Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => partition);

interface Range {
  readonly topic: TopicName;
  readonly partition: number;
  /** Exclusive. */
  readonly to: number;
}

async function readAll(log: Log, range: Range, take: (record: StoredRecord) => void): Promise<void> {
  const { topic, partition, to } = range;
  for (let from = 0; from < to;) {
    const page = await log.read(topic, partition, from, { ...pageBounds, to });
    for (const record of page.records) take(record);
    if (page.next <= from) return;
    from = page.next;
  }
}
