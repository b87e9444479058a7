// Applies a change to a webhook: its settings, whether it is active, and its generation.
import type { Millis } from '../../message.ts';
import type { AskedHeader, WebhookChanges, WebhookSettings } from '../messages.ts';
import { withoutDefaults } from './settings.ts';

/** The fields of a webhook that a change can set. */
export interface Changeable extends WebhookSettings {
  readonly disabled: boolean;
  readonly pausedAt?: Millis;
  readonly generation?: number;
}

/** A new url or activity raises the generation, by which a 410 from an attempt before the change is ignored. */
export function changedWebhook<W extends Changeable>(webhook: W, changes: WebhookChanges, at: Millis): W {
  const { active, headers, newKey: _apart, ...given } = changes;
  const settled = withoutDefaults({ ...webhook, ...given }) as W;
  const headed = headers === undefined ? settled : withHeaders(settled, headers);
  const changed = withActivity(headed, active, at);
  const isOther = changed.url !== webhook.url || changed.disabled !== webhook.disabled;
  return isOther ? { ...changed, generation: (webhook.generation ?? 0) + 1 } : changed;
}

/** A webhook that is already disabled is not marked as paused. */
function withActivity<W extends Changeable>(webhook: W, active: boolean | undefined, at: Millis): W {
  if (active === undefined || active === !webhook.disabled) return webhook;
  if (!active) return { ...webhook, disabled: true, pausedAt: at };
  const { pausedAt: _over, ...rest } = webhook;
  return { ...rest, disabled: false } as W;
}

/** Leaves out a header that should keep its value but has been removed meanwhile. */
function withHeaders<W extends Changeable>(webhook: W, asked: readonly AskedHeader[]): W {
  const { headers: before = [], ...rest } = webhook;
  const headers = asked.flatMap(({ name, value }) => {
    const kept = value ?? before.find((header) => header.name === name)?.value;
    return kept === undefined ? [] : [{ name, value: kept }];
  });
  return (headers.length === 0 ? rest : { ...rest, headers }) as W;
}
