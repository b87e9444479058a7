// Applies a change to a webhook: its settings, whether it is active, and its generation.
import type { Millis } from '../../message.ts';
import type { HeaderChange, WebhookChanges, WebhookSettings } from '../messages.ts';
import { withoutDefaults } from './settings.ts';

/** The fields of a webhook that a change can set. */
export interface ChangeableWebhook extends WebhookSettings {
  readonly disabled: boolean;
  readonly pausedAt?: Millis;
  readonly generation?: number;
}

/** A new url or activity raises the generation, by which a 410 from an attempt before the change is ignored. */
export function applyWebhookChanges<W extends ChangeableWebhook>(webhook: W, changes: WebhookChanges, at: Millis): W {
  const { active, headers, newKey: _newKey, ...settings } = changes;
  const withSettings = withoutDefaults({ ...webhook, ...settings }) as W;
  const withNewHeaders = headers === undefined ? withSettings : applyHeaderChanges(withSettings, headers);
  const result = withActivity(withNewHeaders, active, at);
  const isNewGeneration = result.url !== webhook.url || result.disabled !== webhook.disabled;
  return isNewGeneration ? { ...result, generation: (webhook.generation ?? 0) + 1 } : result;
}

/** A webhook that is already disabled is not marked as paused. */
function withActivity<W extends ChangeableWebhook>(webhook: W, active: boolean | undefined, at: Millis): W {
  if (active === undefined || active === !webhook.disabled) return webhook;
  if (!active) return { ...webhook, disabled: true, pausedAt: at };
  const { pausedAt: _pausedAt, ...rest } = webhook;
  return { ...rest, disabled: false } as W;
}

/** Leaves out a header that should keep its value but has been removed meanwhile. */
function applyHeaderChanges<W extends ChangeableWebhook>(webhook: W, changes: readonly HeaderChange[]): W {
  const { headers: current = [], ...rest } = webhook;
  const headers = changes.flatMap(({ name, value }) => {
    const newValue = value ?? current.find((header) => header.name === name)?.value;
    return newValue === undefined ? [] : [{ name, value: newValue }];
  });
  return (headers.length === 0 ? rest : { ...rest, headers }) as W;
}
