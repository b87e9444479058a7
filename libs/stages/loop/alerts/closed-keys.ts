// Reports workspaces whose data key cannot be decrypted.
import { closedKeyMessage } from '../../../domain/workspace/keyring.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Alerts } from './alerts.ts';

/**
 * Call when all existing records were read. Throws WrongMasterKeyError when no key opens, and reports
 * nothing then: with a wrong master key no key opens, although every record is intact.
 */
export function checkKeys(keys: Pick<Keyring, 'check' | 'closed'>, alerts: Pick<Alerts, 'raise'>): void {
  keys.check();
  for (const workspace of keys.closed) alerts.raise('seal_does_not_open', workspace, closedKeyMessage(workspace));
}
