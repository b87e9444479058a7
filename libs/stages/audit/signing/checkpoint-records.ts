// Builds the records of audit: a checkpoint, the tree as of that checkpoint, and a key.
import { auditKeyKey, treeKey } from '../../../domain/audit/messages.ts';
import { witnessOf } from '../../../domain/service-channels/witness.ts';
import type { AuditCommand, AuditKeyMade, CheckpointSigned } from '../../../domain/audit/messages.ts';
import type { SignedWindow } from '../../../domain/audit/partition-tree.ts';
import type { Appends } from '../../../domain/flow.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../../log/log.ts';

export type AuditOutgoing = OutgoingOn<Appends<'audit'>>;

/**
 * These records result from everything read until then, not from one request, so each begins its own causation chain.
 */
const envelope = (id: string, key: string, at: Millis) => ({
  id,
  version: 1,
  key,
  at,
  workspace: '',
  ...chainFrom(id, 'audit'),
});

export function checkpointRecords({ checkpoint, tree }: SignedWindow, at: Millis): readonly AuditOutgoing[] {
  const { topic, partition, count, trimmed } = tree;
  const key = treeKey(topic, partition);
  const idOf = (type: string): string => derivedId('rec', type, key, count, trimmed.count);
  return [
    {
      topic: 'checkpoints',
      partition: 0,
      isFinal: true,
      record: { ...envelope(idOf('CheckpointSigned'), key, at), type: 'CheckpointSigned', data: checkpoint },
    },
    {
      topic: 'trees',
      partition: 0,
      isFinal: true,
      record: { ...envelope(idOf('TreeMoved'), key, at), type: 'TreeMoved', data: tree },
    },
  ];
}

export const witnessRecords = (
  workspaces: readonly string[],
  signed: readonly CheckpointSigned[],
  context: { readonly at: Millis; readonly partitions: number },
): readonly AuditOutgoing[] =>
  workspaces.map((workspace) => ({ topic: 'triggers', ...witnessOf(workspace, signed, context), isFinal: true }));

/** `command`: the one that asked for the key; undefined: audit made its first key by itself. */
export function keyRecord(made: AuditKeyMade, at: Millis, command?: AuditCommand): AuditOutgoing {
  const { keyId } = made;
  const id = derivedId('rec', 'AuditKeyMade', keyId);
  const chain = command === undefined ? {} : { correlationId: command.correlationId, causationId: command.id };
  return {
    topic: 'trees',
    partition: 0,
    isFinal: true,
    record: { ...envelope(id, auditKeyKey(keyId), at), ...chain, type: 'AuditKeyMade', data: made },
  };
}
