// Creates a webhook with its signing key, which is encrypted on the log and shown only in the answer to the creation.
import type { ListenerCommand, WebhookSettings } from '../../../../domain/listener/messages.ts';
import { webhooksView } from '../../../../domain/views/webhooks.view.ts';
import type { WebhookView } from '../../../../domain/views/webhooks.view.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { OutcomeOf } from '../../control/waiting/outcomes.ts';
import type { Parts } from '../../parts/parts.ts';
import { unknownOutcome } from '../../http/api-problem.ts';
import { newResource } from '../new-resource.ts';
import { findShown } from '../owned-documents.ts';
import { checkPlaceholders, sealHeaders } from './fixed-headers.ts';
import type { Signature } from './signatures.ts';
import { presentRecovered } from './keys/present-recovered.ts';
import { recoverKey, makeKey } from './keys/signing-key.ts';
import { presentWithKey } from './webhook.presenter.ts';
import type { NewWebhookRecord } from './webhook-record.dto.ts';

type CreateWebhook = Extract<ListenerCommand, { type: 'CreateWebhook' }>;

export interface WebhookInput {
  readonly settings: WebhookSettings;
  readonly signature: Signature;
  /** The headers as given; the settings do not have them yet. */
  readonly headers: Readonly<Record<string, string>>;
}

export async function createWebhook(
  parts: Parts<'failingSince' | 'secrets' | 'definitions' | 'views' | 'commands' | 'log' | 'ambient'>,
  caller: Caller,
  { settings, signature, headers }: WebhookInput,
  idempotencyKey: string | null,
): Promise<NewWebhookRecord> {
  checkPlaceholders(headers, []);
  // Requests without a signature and headers have the same fingerprint as in earlier programs.
  const request = {
    ...settings,
    ...(signature === 'ed25519' ? { signature } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
  const { id, repeatable } = newResource(parts, caller, 'wh', { idempotencyKey, request });
  const { newKey, secret } = makeKey(parts, caller, signature);
  const command: Command<CreateWebhook> = {
    type: 'CreateWebhook',
    key: id,
    data: {
      ...settings,
      ...(Object.keys(headers).length === 0 ? {} : { headers: sealHeaders(parts, caller, headers) }),
      webhookId: id,
      userId: caller.userId,
      ...repeatable,
      ...newKey,
    },
  };
  const outcome = await parts.commands.send(caller, command, { endings: ['WebhookCreated', 'WebhookCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'WebhookCreated') return presentWithKey(parts, createdView(outcome), secret);
  const refusal = outcome.data;
  if (refusal.reason !== 'repeated') throw refusalProblem(refusal);
  const { existingId = id } = refusal;
  const existing = await findShown<WebhookView>(parts, caller, 'webhooks', existingId);
  const { requestKey } = repeatable;
  return presentRecovered(parts, existing, await recoverKey(parts, caller, { webhookId: existingId, requestKey }));
}

/** The webhook as the views will show it, so that the only answer with the signing key does not depend on them. */
function createdView(record: OutcomeOf<'WebhookCreated'>): WebhookView {
  const view = webhooksView.evolve(undefined, record);
  if (view === undefined) throw new Error('a created webhook has no view');
  return view;
}
