// Makes a new signing key for a webhook: the former keys sign, too, for a while, so that a receiver can switch.
import { derivedId } from '../../../../../domain/id.ts';
import type { ListenerCommand } from '../../../../../domain/listener/messages.ts';
import type { Repeatable } from '../../../../../domain/definition/messages.ts';
import type { WebhookView } from '../../../../../domain/views/index.ts';
import { webhooksView } from '../../../../../domain/views/webhooks.view.ts';
import type { Command } from '../../../commands/commands.ts';
import { fingerprintOf } from '../../../commands/fingerprint.ts';
import { refusalProblem } from '../../../commands/refusals.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { unknownOutcome } from '../../../http/api-problem.ts';
import { findChanged, findShown, readOwned } from '../../owned-documents.ts';
import { signatureOf } from '../signatures.ts';
import { presentRecovered } from './present-recovered.ts';
import { recoverKey, makeKey } from './signing-key.ts';
import { presentWithKey } from '../webhook.presenter.ts';
import type { NewWebhookRecord } from '../webhook-record.dto.ts';

type RegenerateCommand = Extract<ListenerCommand, { type: 'RegenerateWebhookKey' }>;

interface RegenerateInput {
  readonly webhookId: string;
  readonly overlapSeconds: number;
  readonly idempotencyKey: string | null;
}

const route = 'regenerate_signing_key';

export async function regenerateKey(
  parts: Parts<'failingSince' | 'secrets' | 'definitions' | 'views' | 'commands' | 'log' | 'ambient'>,
  caller: Caller,
  input: RegenerateInput,
): Promise<NewWebhookRecord> {
  const { webhookId, overlapSeconds } = input;
  const webhook = await readOwned(parts, caller, 'webhooks', webhookId);
  const { newKey, secret } = makeKey(parts, caller, signatureOf(webhook));
  const repeatable = repeatableOf(parts, caller, input);
  const data = { webhookId, ...newKey, overlapMs: overlapSeconds * 1_000, ...repeatable };
  const command: Command<RegenerateCommand> = { type: 'RegenerateWebhookKey', key: webhookId, data };
  const endings = ['WebhookKeyRegenerated', 'WebhookKeyRegenerateRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'WebhookKeyRegenerated')
    return presentWithKey(parts, await findChanged(parts, caller, webhooksView, outcome), secret);
  if (outcome.data.reason !== 'repeated') throw refusalProblem(outcome.data);
  const key = await recoverKey(parts, caller, { webhookId, requestKey: repeatable.requestKey });
  return presentRecovered(parts, await findShown<WebhookView>(parts, caller, 'webhooks', webhookId), key);
}

function repeatableOf(
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  { webhookId, overlapSeconds, idempotencyKey }: RegenerateInput,
): Repeatable {
  if (idempotencyKey === null) return { fingerprint: null };
  const fingerprint = fingerprintOf(parts.secrets.dataKey(workspace), route, { webhookId, overlapSeconds });
  return { fingerprint, requestKey: derivedId('wh', route, workspace, idempotencyKey) };
}
