// Restores the state from which audit continues: the newest checkpoint of each partition, and the keys.
import type { Ambient } from '../../domain/ambient.ts';
import { isConsistentAuditKey } from '../../domain/audit/key.ts';
import { treeKey } from '../../domain/audit/messages.ts';
import type { AuditKeyMade, TreeMoved } from '../../domain/audit/messages.ts';
import { PartitionTree } from '../../domain/audit/partition-tree.ts';
import { partitionCount, signedTopics } from '../../domain/flow.ts';
import { newestRetention } from '../loop/retention.ts';
import type { RetentionMoved } from '../../domain/retention/messages.ts';
import { positionKey } from '../../log/log.ts';
import type { Positions } from '../../log/log.ts';
import type { CheckedLog } from '../loop/reading/checked-log.ts';
import { StandstillError } from '../loop/reading/unusable.ts';
import { forEachRecord } from '../loop/restoring/for-each-record.ts';
import { SigningKeys } from './signing/signing-keys.ts';
import { restoreWitnesses } from './witnesses/witnesses.ts';
import type { KnownWitnesses } from './witnesses/witnesses.ts';

export interface Restored {
  /** One tree for each signed partition, by `treeKey`. */
  readonly trees: ReadonlyMap<string, PartitionTree>;
  readonly keys: SigningKeys;
  readonly retention: RetentionMoved | undefined;
  readonly witnessing: KnownWitnesses;
}

/** A damaged tree record: audit stops until the original record is restored. */
export class DamagedTreeError extends StandstillError {
  constructor(key: string) {
    super(
      `The record of ${key} on trees is not as the audit stage left it, so it signs nothing more: bring it back from a backup`,
    );
    this.name = 'DamagedTreeError';
  }
}

type RestoreLog = Pick<CheckedLog, 'read' | 'partitions'>;

export interface RestoreOptions {
  readonly log: RestoreLog;
  /** How far audit has signed. */
  readonly signed: Positions;
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
}

/** Throws WrongMasterKeyError, DamagedTreeError, and PortError and NewerRecordError as reading does. */
export async function restore({ log, signed, masterKey, ambient }: RestoreOptions): Promise<Restored> {
  const storedTrees = new Map<string, TreeMoved>();
  const keys = new Map<string, AuditKeyMade>();
  await forEachRecord(log, { topic: 'trees', partition: 0 }, (record) => {
    if (record.data === undefined || record.data === null) return;
    if (record.type === 'TreeMoved') storedTrees.set(record.key, record.data);
    else if (isConsistentAuditKey(record.key, record.data)) keys.set(record.data.keyId, record.data);
  });
  const retention = (await newestRetention(log))?.data;
  const witnessing = await restoreWitnesses(log);
  const signing = new SigningKeys({ masterKey, ambient, known: [...keys.values()] });
  return { trees: treesOf(storedTrees, signed, signing, log.partitions), keys: signing, retention, witnessing };
}

/**
 * Continuing from a tree that audit did not write, or from the beginning although it has signed before, would sign a
 * second history next to the first.
 */
function treesOf(
  storedTrees: ReadonlyMap<string, TreeMoved>,
  signed: Positions,
  keys: SigningKeys,
  partitions: number,
): ReadonlyMap<string, PartitionTree> {
  const trees = new Map<string, PartitionTree>();
  for (const topic of signedTopics) {
    for (let partition = 0; partition < partitionCount(topic, partitions); partition++) {
      const key = treeKey(topic, partition);
      const stored = storedTrees.get(key);
      const offset = signed[positionKey(topic, partition)];
      const isNew = stored === undefined && offset === undefined;
      trees.set(key, isNew ? PartitionTree.empty(topic, partition) : restoredTree(key, stored, { offset, keys }));
    }
  }
  return trees;
}

/**
 * A stored tree that is not signed, or is of another partition or offset than the mark, was not written by this
 * service.
 */
function restoredTree(
  key: string,
  stored: TreeMoved | undefined,
  { offset, keys }: { readonly offset: number | undefined; readonly keys: SigningKeys },
): PartitionTree {
  const isOurs =
    stored !== undefined &&
    treeKey(stored.topic, stored.partition) === key &&
    stored.offset === offset &&
    keys.hasSigned(stored);
  const tree = isOurs ? PartitionTree.from(stored) : undefined;
  if (tree !== undefined) return tree;
  throw new DamagedTreeError(key);
}
