// Chooses the version of records about webhooks: a higher one if an older program would ignore a change.
import { orderedByKeyVersion } from '../../delivery/order/order-key.ts';
import type { WebhookDefinition } from '../definition/messages.ts';
import type { ListenerEvent } from '../messages.ts';

const firstVersion = 1;
const updatesVersion = 5;

const updateTypes: ReadonlySet<string> = new Set<ListenerEvent['type']>([
  'WebhookUpdated',
  'WebhookUpdateRefused',
  'WebhookKeyRegenerated',
  'WebhookKeyRegenerateRefused',
]);

/** The fields of a webhook that earlier versions do not know. */
const addedFields: readonly (keyof WebhookDefinition['data'])[] = [
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
export function versionOfWebhook({ type, data }: { readonly type: string; readonly data: object }): number {
  if ('orderKey' in data) return orderedByKeyVersion;
  if (updateTypes.has(type)) return updatesVersion;
  if (type === 'WebhookDisableRefused')
    return 'reason' in data && data.reason === 'webhook_changed' ? updatesVersion : firstVersion;
  return addedFields.some((field) => field in data) ? updatesVersion : firstVersion;
}
