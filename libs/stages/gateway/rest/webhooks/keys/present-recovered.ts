// Answers the repeat of a request that made a key, with the keys that are on the log, even while the views lag.
import type { WebhookView } from '../../../../../domain/views/index.ts';
import { withKeyOf } from '../../../../../domain/views/webhooks.view.ts';
import type { Parts } from '../../../parts/parts.ts';
import { presentWithKey } from '../webhook.presenter.ts';
import type { NewWebhookRecord } from '../webhook-record.dto.ts';
import type { RecoveredKey } from './signing-key.ts';

export function presentRecovered(
  parts: Parts<'failingSince'>,
  webhook: WebhookView,
  key: RecoveredKey | undefined,
): NewWebhookRecord {
  if (key === undefined) return presentWithKey(parts, webhook, undefined);
  return presentWithKey(parts, withKeyOf(webhook, key), key.secret);
}
