// A webhook after a change: its settings, whether it is active, and how often the change made it another receiver.
import type { Millis } from '../../message.ts';
import type { AskedHeader, WebhookChanges, WebhookSettings } from '../messages.ts';
import { withoutDefaults } from './settings.ts';

/** What a change may touch. */
export interface Changeable extends WebhookSettings {
  readonly disabled: boolean;
  readonly pausedAt?: Millis;
  readonly generation?: number;
}

/** A new url or a new start says nothing of the receiver before: an answer of 410 to an earlier attempt is outdated. */
export function changedWebhook<W extends Changeable>(webhook: W, changes: WebhookChanges, at: Millis): W {
  const { active, headers, newKey: _apart, ...given } = changes;
  const settled = withoutDefaults({ ...webhook, ...given }) as W;
  const headed = headers === undefined ? settled : withHeaders(settled, headers);
  const changed = withActivity(headed, active, at);
  const isOther = changed.url !== webhook.url || changed.disabled !== webhook.disabled;
  return isOther ? { ...changed, generation: (webhook.generation ?? 0) + 1 } : changed;
}

/** One that is disabled is not paused as well. */
function withActivity<W extends Changeable>(webhook: W, active: boolean | undefined, at: Millis): W {
  if (active === undefined || active === !webhook.disabled) return webhook;
  if (!active) return { ...webhook, disabled: true, pausedAt: at };
  const { pausedAt: _over, ...rest } = webhook;
  return { ...rest, disabled: false } as W;
}

/** A header that is to keep its value, but was removed meanwhile, is left out. */
function withHeaders<W extends Changeable>(webhook: W, asked: readonly AskedHeader[]): W {
  const { headers: before = [], ...rest } = webhook;
  const headers = asked.flatMap(({ name, value }) => {
    const kept = value ?? before.find((header) => header.name === name)?.value;
    return kept === undefined ? [] : [{ name, value: kept }];
  });
  return (headers.length === 0 ? rest : { ...rest, headers }) as W;
}
