// A webhook after a change: its settings, whether it is active, and how often the change made it another receiver.
import type { Millis } from '../../message.ts';
import type { WebhookChanges, WebhookSettings } from '../messages.ts';

/** What a change may touch. */
export interface Changeable extends WebhookSettings {
  readonly disabled: boolean;
  readonly pausedAt?: Millis;
  readonly generation?: number;
}

/** A new url or a new start says nothing of the receiver before: an answer of 410 to an earlier attempt is outdated. */
export function changedWebhook<W extends Changeable>(webhook: W, changes: WebhookChanges, at: Millis): W {
  const { active, timeoutMs, newKey: _apart, ...given } = changes;
  const changed = withActivity({ ...webhook, ...given }, active, at);
  const isOther = changed.url !== webhook.url || changed.disabled !== webhook.disabled;
  const counted = isOther ? { ...changed, generation: (webhook.generation ?? 0) + 1 } : changed;
  if (timeoutMs === undefined) return counted;
  const { timeoutMs: _before, ...rest } = counted;
  return (timeoutMs === null ? rest : { ...rest, timeoutMs }) as W;
}

/** One that is disabled is not paused as well. */
function withActivity<W extends Changeable>(webhook: W, active: boolean | undefined, at: Millis): W {
  if (active === undefined || active === !webhook.disabled) return webhook;
  if (!active) return { ...webhook, disabled: true, pausedAt: at };
  const { pausedAt: _over, ...rest } = webhook;
  return { ...rest, disabled: false } as W;
}
