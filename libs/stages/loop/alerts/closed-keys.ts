// Reports workspaces whose data key does not open.
import { closedKeyMessage } from '../../../domain/workspace/keyring.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Alerts } from './alerts.ts';

/**
 * To be called when everything that is there was read. Throws WrongMasterKeyError when no key opens, and reports
 * nothing then: with another master key none does, and every record is as it should be.
 */
export function checkKeys(keys: Pick<Keyring, 'check' | 'closed'>, alerts: Pick<Alerts, 'raise'>): void {
  keys.check();
  for (const workspace of keys.closed) alerts.raise('seal_does_not_open', workspace, closedKeyMessage(workspace));
}
