// Keeps the data keys of all workspaces, and says when one has come.
import type { StoredRecord } from '../../../domain/message.ts';
import { Keyring } from '../../../domain/secrets/keyring.ts';
import type { Follower } from './control-tail.ts';

export class KeyringFollower implements Follower {
  readonly #keyring: Keyring;

  constructor(masterKey: Buffer) {
    this.#keyring = new Keyring(masterKey);
  }

  /** Throws WrongMasterKeyError. */
  accept(record: StoredRecord): void {
    if (record.topic === 'keys') this.#keyring.accept(record);
  }

  /** Undefined: not on the log, or erased. */
  dataKey(workspace: string): Buffer | undefined {
    return this.#keyring.dataKey(workspace);
  }
}
