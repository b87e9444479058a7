// Answers the repeat of a request that made a key, with the keys that are on the log, even while the views lag.
import type { WebhookView } from '../../../../../domain/views/index.ts';
import { withKeyOf } from '../../../../../domain/views/webhooks.view.ts';
import type { Parts } from '../../../parts/parts.ts';
import { presentKeyed } from '../webhook.presenter.ts';
import type { NewWebhookRecord } from '../webhook-record.dto.ts';
import type { KeyAgain } from './signing-key.ts';

export function presentAgain(
  parts: Parts<'failingSince'>,
  webhook: WebhookView,
  key: KeyAgain | undefined,
): NewWebhookRecord {
  if (key === undefined) return presentKeyed(parts, webhook, undefined);
  return presentKeyed(parts, withKeyOf(webhook, key), key.told);
}
