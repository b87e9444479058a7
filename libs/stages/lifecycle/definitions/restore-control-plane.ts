// Restores the control plane's state for a new owner of its partition: from definitions, not from histories.
import { sortRequests } from '../../../domain/definition/recorded-requests.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { erasesKey, isTombstone } from '../../loop/restoring/definitions.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { ControlPlane, Fact } from '../control-plane.ts';
import { closingRecordCount, DefinitionsFold } from './fold.ts';
import { partitionsOf, readPartitions } from './topic-partitions.ts';

const definitionTopics = ['sources', 'webhooks', 'subscriptions', 'answers'] as const;

export interface Restored {
  readonly plane: ControlPlane;
  /** To be appended before anything else; undefined when the log has the definitions already. */
  readonly fold: DefinitionsFold | undefined;
  /** End offsets of `components`, by partition. */
  readonly componentsEnds: number[];
}

/** Throws WrongMasterKeyError. */
export async function restore(newPlane: () => ControlPlane, context: TaskContext): Promise<Restored> {
  const { log, tolerate } = context;
  const defined = newPlane();
  const isFolded = await readFoldedDefinitions(defined, context);
  const fold = isFolded ? undefined : new DefinitionsFold(newPlane(), defined, log);
  await fold?.read(context);
  const plane = fold?.plane ?? defined;
  await readUnfoldedDefinitions(plane, context);
  plane.findEnded();
  const evolve = (fact: Fact & { readonly record: StoredRecord }): void =>
    tolerate(fact.record, () => plane.evolve(fact));
  // These topics have no definitions: their own records are needed.
  await readPartitions(log, 'workspaces', (record) => evolve({ topic: 'workspaces', record }));
  await readPartitions(log, 'keys', (record) => evolve({ topic: 'keys', record }));
  await readPartitions(log, 'alerts', (record) => evolve({ topic: 'alerts', record }));
  plane.checkKeys();
  const componentsEnds = await Promise.all(partitionsOf('components', log).map((p) => log.end('components', p)));
  return { plane, fold, componentsEnds };
}

/** Returns whether the definitions are complete. */
async function readFoldedDefinitions(plane: ControlPlane, context: TaskContext): Promise<boolean> {
  let closingRecords = 0;
  const define = (record: RecordOn<(typeof definitionTopics)[number]>): void => {
    if (record.type === 'DefinitionsFolded') closingRecords++;
    else if (!isTombstone(record)) context.tolerate(record, () => plane.restoreDefinition(record));
  };
  for (const topic of definitionTopics) await readNewestByKey(context.log, topic, define);
  return closingRecords >= closingRecordCount(context.log);
}

/** Saved components and accounts have had definitions from the beginning: no fold makes them. */
async function readUnfoldedDefinitions(plane: ControlPlane, { log, tolerate }: TaskContext): Promise<void> {
  const define = (record: RecordOn<'saved' | 'accounts'>): void => {
    if (!isTombstone(record)) tolerate(record, () => plane.restoreDefinition(record));
  };
  for (const topic of ['saved', 'accounts'] as const) await readNewestByKey(log, topic, define);
  sortRequests(plane.requests);
}

/** The most definitions applied in one turn of the event loop. */
const definitionsPerTurn = 500;

/**
 * Passes on the newest record of each key, and none for a key whose newest record is a tombstone: the log might still
 * hold older records until compaction removes them.
 */
async function readNewestByKey<T extends TopicName>(
  log: CheckedLog,
  topic: T,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  for (const partition of partitionsOf(topic, log)) {
    const newest = new Map<string, RecordOn<T>>();
    await forEachRecord(log, { topic, partition, to: await log.end(topic, partition) }, (record) => {
      newest.delete(record.key);
      if (!erasesKey(record)) newest.set(record.key, record);
    });
    let taken = 0;
    for (const record of newest.values()) {
      take(record);
      if (++taken % definitionsPerTurn === 0) await new Promise(setImmediate);
    }
  }
}
