// Keeps the data keys of all workspaces, and checks those that arrive.
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
  #checksPages = false;

  constructor(masterKey: Buffer, alerts: Alerts) {
    this.#keyring = new Keyring(masterKey);
    this.#alerts = alerts;
  }

  /** A key that cannot be decrypted blocks only its own workspace. */
  accept(record: RecordOn<FollowedTopic>): void {
    if (record.topic === 'keys') this.#keyring.tryAccept(record);
  }

  /** Checks now and after every later page of keys. Throws WrongMasterKeyError if none of the keys can be decrypted. */
  check(): void {
    this.#checksPages = true;
    checkKeys(this.#keyring, this.#alerts);
  }

  pageRead({ topic }: Page): void {
    if (this.#checksPages && topic === 'keys') checkKeys(this.#keyring, this.#alerts);
  }

  /** Undefined: the key is not on the log, erased, or damaged. */
  dataKey(workspace: string): Buffer | undefined {
    return this.#keyring.dataKey(workspace);
  }
}
