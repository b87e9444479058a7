// Changes a webhook: answers when the change is on the log, and shows it.
import type { ListenerCommand, WebhookChanges } from '../../../../domain/listener/messages.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import { webhooksView } from '../../../../domain/views/webhooks.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { checkId, findChanged, findOwned } from '../owned-documents.ts';
import { sealChangedHeaders, checkPlaceholders, hasPlaceholder } from './fixed-headers.ts';
import type { Signature } from './signatures.ts';
import { makeKey } from './keys/signing-key.ts';
import { presentWithKey } from './webhook.presenter.ts';
import type { NewWebhookRecord } from './webhook-record.dto.ts';

type UpdateWebhook = Extract<ListenerCommand, { type: 'UpdateWebhook' }>;

export interface WebhookUpdate {
  readonly changes: WebhookChanges;
  /** Undefined: the signature stays unchanged. */
  readonly signature?: Signature | undefined;
  /** The complete set; undefined: the headers stay unchanged. */
  readonly headers?: Headers | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** The changed webhook, with its signing key if the change was to HMAC. Throws ApiProblem. */
export async function updateWebhook(
  parts: Parts<'failingSince' | 'secrets' | 'views' | 'commands' | 'ambient'>,
  caller: Caller,
  webhookId: string,
  { changes, signature, headers }: WebhookUpdate,
): Promise<NewWebhookRecord> {
  checkId('wh', webhookId);
  if (headers !== undefined && hasPlaceholder(headers)) await checkStoredHeaders(parts, caller, webhookId, headers);
  // Lifecycle decides whether the key is needed, since it knows the webhook's current state for certain.
  const generatedKey = signature === undefined ? undefined : makeKey(parts, caller, signature);
  const data = {
    ...changes,
    webhookId,
    ...(generatedKey === undefined ? {} : { newKey: generatedKey.newKey }),
    ...(headers === undefined ? {} : { headers: sealChangedHeaders(parts, caller, headers) }),
  };
  const command: Command<UpdateWebhook> = { type: 'UpdateWebhook', key: webhookId, data };
  const endings = ['WebhookUpdated', 'WebhookUpdateRefused'] as const;
  const outcome = await parts.commands.send(caller, command, { endings });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'WebhookUpdateRefused') throw refusalProblem(outcome.data);
  const webhook = await findChanged(parts, caller, webhooksView, outcome);
  return presentWithKey(parts, webhook, outcome.data.newKey === undefined ? undefined : generatedKey?.secret);
}

/** An unknown webhook is left to lifecycle. Throws ApiProblem 400. */
async function checkStoredHeaders(
  parts: Parts<'views'>,
  caller: Caller,
  webhookId: string,
  headers: Headers,
): Promise<void> {
  const webhook = await findOwned<WebhookView>(parts, caller, 'webhooks', webhookId);
  if (webhook !== undefined) checkPlaceholders(headers, webhook.headers ?? []);
}
