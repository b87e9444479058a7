// Chooses the version of records about webhooks: a higher one if an older program would ignore a change.
import { orderedByKeyVersion } from '../../delivery/order/order-key.ts';
import type { WebhookDefinition } from '../definition/messages.ts';
import type { ListenerEvent } from '../messages.ts';

const first = 1;
const withUpdates = 5;

const updates: ReadonlySet<string> = new Set<ListenerEvent['type']>([
  'WebhookUpdated',
  'WebhookUpdateRefused',
  'WebhookKeyRegenerated',
  'WebhookKeyRegenerateRefused',
]);

/** The fields of a webhook that earlier versions do not know. */
const added: readonly (keyof WebhookDefinition['data'])[] = [
  'timeoutMs',
  'headers',
  'onExhausted',
  'maxInFlight',
  'rateLimit',
  'pausedAt',
  'generation',
  'publicKey',
  'formerKeys',
];

/** The first version, unless the record has a type or field that earlier versions do not know. */
export function webhookVersion({ type, data }: { readonly type: string; readonly data: object }): number {
  if ('orderKey' in data) return orderedByKeyVersion;
  if (updates.has(type)) return withUpdates;
  if (type === 'WebhookDisableRefused')
    return 'reason' in data && data.reason === 'webhook_changed' ? withUpdates : first;
  return added.some((field) => field in data) ? withUpdates : first;
}
