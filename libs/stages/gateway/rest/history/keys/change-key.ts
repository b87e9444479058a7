// Changes the signing key: sends a command to audit, which answers with a record of the new key.
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditKeyMade } from '../../../../../domain/audit/messages.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { unavailable, unknownOutcome } from '../../../http/api-problem.ts';
import type { Parts } from '../../../parts/parts.ts';
import type { Trees } from '../signed/trees.ts';

const pollMs = 50;

/** Throws ApiProblem 503 `unknown_outcome` if audit does not answer in time, or PortError. */
export async function changeKey(
  { commands, limits }: Parts<'commands' | 'limits'>,
  caller: Caller,
  trees: Trees,
): Promise<Omit<AuditKeyMade, 'sealed'>> {
  const { workspace } = caller;
  await trees.catchUp();
  const formerKeyId = trees.keys.at(-1)?.keyId;
  if (formerKeyId === undefined) throw unavailable('The audit stage has not made its first key yet.');
  const command = { type: 'ChangeAuditKey', key: workspace, data: { formerKeyId } } as const;
  await commands.sendWithoutWaiting({ ...caller, actor: caller.keyId }, command);
  for (const deadline = performance.now() + limits.outcomeMs; ; await delay(pollMs)) {
    await trees.catchUp();
    const newest = trees.keys.at(-1);
    if (newest !== undefined && newest.keyId !== formerKeyId) return newest;
    if (performance.now() > deadline) throw unknownOutcome();
  }
}
