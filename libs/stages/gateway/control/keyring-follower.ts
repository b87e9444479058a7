// Keeps the data keys of all workspaces, and reports each that arrives.
import type { FollowedTopic } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import { Keyring } from '../../../domain/workspace/keyring.ts';
import type { Page } from '../../../log/log.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { checkKeys } from '../../loop/alerts/closed-keys.ts';
import type { Follower } from './control-tail.ts';

export class KeyringFollower implements Follower {
  readonly #keyring: Keyring;
  readonly #alerts: Alerts;
  #checking = false;

  constructor(masterKey: Buffer, alerts: Alerts) {
    this.#keyring = new Keyring(masterKey);
    this.#alerts = alerts;
  }

  /** A key that does not open closes its own workspace only. */
  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic === 'keys') this.#keyring.take(record);
  }

  /** Checks now and after every later page of keys. Throws WrongMasterKeyError when no key that was read opens. */
  check(): void {
    this.#checking = true;
    checkKeys(this.#keyring, this.#alerts);
  }

  pageRead({ topic }: Page): void {
    if (this.#checking && topic === 'keys') checkKeys(this.#keyring, this.#alerts);
  }

  /** Undefined: not on the log, erased, or damaged. */
  dataKey(workspace: string): Buffer | undefined {
    return this.#keyring.dataKey(workspace);
  }
}
