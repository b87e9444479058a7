// Brings back what audit goes on from: the newest checkpoint of each partition, and the keys.
import type { Ambient } from '../../domain/ambient.ts';
import { isAuditKey } from '../../domain/audit/key.ts';
import { treeKey } from '../../domain/audit/messages.ts';
import type { AuditKeyMade, TreeMoved } from '../../domain/audit/messages.ts';
import { PartitionTree } from '../../domain/audit/partition-tree.ts';
import { partitionCount, signedTopics } from '../../domain/flow.ts';
import { newestRetention } from '../loop/retention.ts';
import type { RetentionMoved } from '../../domain/retention/messages.ts';
import type { CheckedLog } from '../loop/reading/checked-log.ts';
import { replay } from '../loop/restoring/replay.ts';
import { SigningKeys } from './signing/signing-keys.ts';
import { restoreWitnesses } from './witnesses/witnesses.ts';
import type { KnownWitnesses } from './witnesses/witnesses.ts';

export interface Restored {
  /** One for each partition that is signed, by `treeKey`. */
  readonly trees: ReadonlyMap<string, PartitionTree>;
  readonly keys: SigningKeys;
  readonly retention: RetentionMoved | undefined;
  readonly witnessing: KnownWitnesses;
}

type RestoreLog = Pick<CheckedLog, 'read' | 'partitions'>;

/** Throws WrongMasterKeyError, and PortError and NewerRecordError as reading does. */
export async function restore(log: RestoreLog, masterKey: Buffer, ambient: Ambient): Promise<Restored> {
  const moved = new Map<string, TreeMoved>();
  const keys = new Map<string, AuditKeyMade>();
  await replay(log, { topic: 'trees', partition: 0 }, (record) => {
    if (record.data === undefined || record.data === null) return;
    if (record.type === 'TreeMoved') moved.set(record.key, record.data);
    else if (isAuditKey(record.key, record.data)) keys.set(record.data.keyId, record.data);
  });
  const retention = (await newestRetention(log))?.data;
  const witnessing = await restoreWitnesses(log);
  const signing = new SigningKeys({ masterKey, ambient, known: [...keys.values()] });
  return { trees: treesOf(moved, log.partitions), keys: signing, retention, witnessing };
}

/** What cannot be a tree was written by nobody of ours: going on from it would sign what is wrong. */
function treesOf(moved: ReadonlyMap<string, TreeMoved>, partitions: number): ReadonlyMap<string, PartitionTree> {
  const trees = new Map<string, PartitionTree>();
  for (const topic of signedTopics) {
    for (let partition = 0; partition < partitionCount(topic, partitions); partition++) {
      const key = treeKey(topic, partition);
      const kept = moved.get(key);
      const tree = kept === undefined ? PartitionTree.empty(topic, partition) : PartitionTree.from(kept);
      if (tree === undefined)
        throw new Error(`the record of ${key} on trees cannot be a tree: bring it back as it was`);
      trees.set(key, tree);
    }
  }
  return trees;
}
