// Creating a webhook: its signing key is made here, stands sealed on the log, and is told only in the creating answer.
import type { ListenerEvent, WebhookSettings } from '../../../../domain/listener/messages.ts';
import type { ListenerCommand } from '../../../../domain/listener/messages.ts';
import type { StoredRecord } from '../../../../domain/message.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { RefusedData } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { ApiProblem, unknownOutcome } from '../../rim/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { findOwned } from '../owned.ts';
import { presentWebhook } from './webhook.presenter.ts';
import type { NewWebhookRecord } from './webhook.presenter.ts';

type CreateWebhook = Extract<ListenerCommand, { type: 'CreateWebhook' }>;
type WebhookCreated = Extract<ListenerEvent, { type: 'WebhookCreated' }>;

/** 192 bits, as Standard Webhooks recommends. */
const signingKeyBytes = 24;

export async function createWebhook(
  gateway: Gateway,
  caller: Caller,
  settings: WebhookSettings,
  idempotencyKey: string | null,
): Promise<NewWebhookRecord> {
  const { id, fingerprint } = newResource(gateway, caller, 'wh', { idempotencyKey, request: settings });
  const signingKey = `whsec_${gateway.options.ambient.randomBytes(signingKeyBytes).toString('base64')}`;
  const command: Command<CreateWebhook> = {
    type: 'CreateWebhook',
    key: id,
    data: {
      ...settings,
      webhookId: id,
      userId: caller.userId,
      fingerprint,
      signingKey: gateway.seal(caller.workspace, signingKey),
    },
  };
  const outcome = await gateway.commands.send(caller, command, { endings: ['WebhookCreated', 'WebhookCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'WebhookCreated') return present(gateway, caller, id, signingKey);
  const refusal = outcome.data as RefusedData;
  if (refusal.reason !== 'repeated') throw refusalProblem(refusal);
  return present(gateway, caller, id, await signingKeyOf(gateway, caller, id));
}

async function present(
  gateway: Gateway,
  caller: Caller,
  id: string,
  signingKey: string | undefined,
): Promise<NewWebhookRecord> {
  const webhook = await findOwned<WebhookView>(gateway, caller, 'webhooks', id);
  if (webhook === undefined) throw gone();
  return { ...presentWebhook(webhook), ...(signingKey === undefined ? {} : { signing_key: signingKey }) };
}

/** A repeat may mean that the first answer was lost, and with it the key: it is read back from the log. */
async function signingKeyOf(gateway: Gateway, caller: Caller, id: string): Promise<string | undefined> {
  const creation = gateway.created.find(id);
  if (creation?.workspace !== caller.workspace) return undefined;
  const page = await gateway.options.log.read('listeners', 0, creation.offset, { recordsMax: 1, bytesMax: 1 });
  const record = page.records[0] as StoredRecord<WebhookCreated> | undefined;
  if (record?.type !== 'WebhookCreated' || record.data.webhookId !== id) return undefined;
  return String(gateway.unseal(caller.workspace, record.data.signingKey));
}

const gone = (): ApiProblem =>
  new ApiProblem(409, 'idempotency_conflict', 'What this Idempotency-Key made has been deleted since.');
