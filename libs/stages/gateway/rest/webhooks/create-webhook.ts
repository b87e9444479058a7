// Creating a webhook: its signing key is made here, stands sealed on the log, and is told only in the creating answer.
import type { ListenerCommand, WebhookSettings } from '../../../../domain/listener/messages.ts';
import { NewerRecordError } from '../../../loop/reading/unusable.ts';
import { isTombstone } from '../../../loop/restoring/definitions.ts';
import { webhooksView } from '../../../../domain/views/webhooks.view.ts';
import type { WebhookView } from '../../../../domain/views/webhooks.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { OutcomeOf } from '../../control/outcomes.ts';
import type { Gateway } from '../../gateway.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { findShown } from '../owned.ts';
import { presentWebhook } from './webhook.presenter.ts';
import type { NewWebhookRecord } from './webhook-record.dto.ts';

type CreateWebhook = Extract<ListenerCommand, { type: 'CreateWebhook' }>;

/** 192 bits, as Standard Webhooks recommends. */
const signingKeyBytes = 24;

export async function createWebhook(
  gateway: Gateway,
  caller: Caller,
  settings: WebhookSettings,
  idempotencyKey: string | null,
): Promise<NewWebhookRecord> {
  const { id, repeatable } = newResource(gateway, caller, 'wh', { idempotencyKey, request: settings });
  const signingKey = `whsec_${gateway.options.ambient.randomBytes(signingKeyBytes).toString('base64')}`;
  const command: Command<CreateWebhook> = {
    type: 'CreateWebhook',
    key: id,
    data: {
      ...settings,
      webhookId: id,
      userId: caller.userId,
      ...repeatable,
      signingKey: gateway.seal(caller.workspace, signingKey),
    },
  };
  const outcome = await gateway.commands.send(caller, command, { endings: ['WebhookCreated', 'WebhookCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'WebhookCreated') return present(made(outcome), signingKey);
  const refusal = outcome.data;
  if (refusal.reason !== 'repeated') throw refusalProblem(refusal);
  const { existingId = id } = refusal;
  const existing = await findShown<WebhookView>(gateway, caller, 'webhooks', existingId);
  return present(existing, await signingKeyOf(gateway, caller, existingId));
}

const present = (webhook: WebhookView, signingKey: string | undefined): NewWebhookRecord => ({
  ...presentWebhook(webhook),
  ...(signingKey === undefined ? {} : { signing_key: signingKey }),
});

/** As the views will hold it, so that the one answer with the signing key does not depend on them. */
function made(record: OutcomeOf<'WebhookCreated'>): WebhookView {
  const view = webhooksView.evolve(undefined, record);
  if (view === undefined) throw new Error('a created webhook has no view');
  return view;
}

/** A repeat may mean that the first answer was lost, and with it the key: it is read back from the log. */
async function signingKeyOf(gateway: Gateway, caller: Caller, id: string): Promise<string | undefined> {
  const offset = await gateway.webhookPlaceOf(id);
  if (offset === undefined) return undefined;
  const bounds = { recordsMax: 1, bytesMax: 1 };
  const page = await gateway.log.read('webhooks', 0, offset, bounds).catch((error: unknown) => {
    // A newer program has written it anew: the webhook stands, and its key is not to be read here.
    if (error instanceof NewerRecordError) return undefined;
    throw error;
  });
  const record = page?.records[0];
  if (record?.type !== 'WebhookDefined' || isTombstone(record)) return undefined;
  if (record.data.webhookId !== id || record.workspace !== caller.workspace) return undefined;
  return String(gateway.unseal(caller.workspace, record.data.signingKey));
}
