// Applies a new definition to a webhook that is already in use.
import type { WebhookDefinition } from '../../../domain/listener/definition/messages.ts';
import { isSourceId } from '../../../domain/id.ts';
import type { WebhookTarget } from '../targets/target.ts';

/** A webhook as it is now, and as it was before its definition was read. */
export interface Redefined {
  readonly webhook: WebhookTarget;
  readonly before: Readonly<WebhookTarget>;
}

export function undefinedTarget(webhookId: string, workspace: string): WebhookTarget {
  const isSource = isSourceId(webhookId);
  return {
    webhookId,
    isSource,
    workspace,
    url: '',
    ordered: true,
    retrySchedule: null,
    sealedKey: { $sealed: '' },
    formerKeys: [],
    timeoutMs: undefined,
    sealedHeaders: [],
    generation: -1,
    blocks: false,
    orderKey: undefined,
    maxInFlight: undefined,
    rateLimit: undefined,
    keys: undefined,
    headers: {},
    keysUntil: Number.POSITIVE_INFINITY,
    stopped: !isSource,
  };
}

/** Changes the target in place, since subscriptions and cursors share it; returns a copy of the former state. */
export function redefine(
  webhook: WebhookTarget,
  { workspace, data }: Pick<WebhookDefinition, 'data'> & { readonly workspace: string },
): Readonly<WebhookTarget> {
  const {
    url,
    ordered,
    orderKey,
    retrySchedule,
    signingKey: sealedKey,
    disabled,
    timeoutMs,
    maxInFlight,
    rateLimit,
  } = data;
  const { formerKeys = [], headers: sealedHeaders = [], generation = 0 } = data;
  const before = { ...webhook };
  // Delivery stopped it, after a 410 or because its key cannot be unsealed, and the definition does not show that yet.
  const staysStopped =
    before.stopped && generation === before.generation && sealedKey.$sealed === before.sealedKey.$sealed;
  const stopped = disabled || staysStopped;
  const blocks = data.onExhausted === 'block';
  const policy = { url, ordered, orderKey, retrySchedule, timeoutMs, sealedHeaders, blocks, maxInFlight, rateLimit };
  Object.assign(webhook, { workspace, sealedKey, formerKeys, generation }, policy, { keys: undefined, stopped });
  return before;
}
