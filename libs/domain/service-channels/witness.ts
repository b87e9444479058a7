// Publishes checkpoints as events on channel `$audit`: whoever receives and keeps them can detect rewritten history.
import { partitionOf } from '../flow.ts';
import { derivedId, timedId } from '../id.ts';
import type { Json } from '../json.ts';
import type { Millis } from '../message.ts';
import type { PublishRequest } from '../publish/messages.ts';
import { versionOf } from '../record/record-version.ts';
import { chainFrom } from '../trace/chain.ts';
import type { CheckpointSigned } from '../audit/messages.ts';

export const auditChannel = '$audit';

/** The `emitterId` of a workspace's `$audit`: no source can have it. */
export const auditSourceOf = (workspace: string): string => derivedId('dc', 'audit', workspace);

/** The `replyTo` of these requests: nobody waits for the events' ids. */
const noReplyTo = 'audit';

export interface Witness {
  readonly partition: number;
  readonly record: PublishRequest;
}

/**
 * The request to runtime for the event, one for each append, with its checkpoints of all partitions: they hold hashes
 * and no content.
 */
export function witnessOf(
  workspace: string,
  signed: readonly CheckpointSigned[],
  { at, partitions }: { readonly at: Millis; readonly partitions: number },
): Witness {
  const sourceId = auditSourceOf(workspace);
  const id = timedId(derivedId('req', 'audit', workspace, ...signed.map(({ line }) => line)), at);
  const checkpoints = signed.map(({ line, signatures }) => ({
    line,
    signatures: signatures.map((one) => ({ ...one })),
  }));
  const event: Json = { checkpoints };
  const type = 'EventsPublishRequested' as const;
  const data = { sourceId, events: [{ event, channel: auditChannel }], replyTo: noReplyTo };
  const envelope = { id, version: versionOf({ type, data }), key: sourceId, at, workspace, ...chainFrom(id, 'audit') };
  return { partition: partitionOf(sourceId, partitions), record: { ...envelope, type, data } };
}
