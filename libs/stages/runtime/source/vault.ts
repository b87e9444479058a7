// Opens and seals the values of each workspace with its data key.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Json } from '../../../domain/json.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { Keyring } from '../../../domain/workspace/keyring.ts';
import type { KeyState } from '../../../domain/workspace/keyring.ts';
import { encrypt, nonceBytes, unseal, unsealBytes } from '../../../domain/secrets/seal.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';

export class Vault {
  readonly #keyring: Keyring;
  readonly #ambient: Ambient;

  constructor(masterKey: Buffer, ambient: Ambient) {
    this.#keyring = new Keyring(masterKey);
    this.#ambient = ambient;
  }

  /** Applies a record of `keys`, and returns the state of its workspace's key. */
  accept(record: LogRecord): KeyState {
    return this.#keyring.tryAccept(record);
  }

  /** Throws WrongMasterKeyError when there are keys and none of them opens. */
  check(): void {
    this.#keyring.check();
  }

  /** Workspaces whose key does not open. */
  get closed(): readonly string[] {
    return this.#keyring.closed;
  }

  keyState(workspace: string): KeyState {
    return this.#keyring.stateOf(workspace);
  }

  /** Throws when the workspace has no key, or the value was not sealed with it. */
  open(workspace: string, sealed: Sealed): Json {
    return unseal(this.#keyOf(workspace), sealed, workspace);
  }

  /** Like `open`, for bytes. */
  openBytes(workspace: string, sealed: Sealed): Buffer {
    return unsealBytes(this.#keyOf(workspace), sealed, workspace);
  }

  /** Seals JSON text; null when the workspace's key was erased, and with it everything sealed. */
  seal(workspace: string, jsonText: string): Sealed | null {
    const dataKey = this.#keyring.dataKey(workspace);
    if (dataKey === undefined) return null;
    const nonce = this.#ambient.randomBytes(nonceBytes);
    return { $sealed: encrypt(dataKey, Buffer.from(jsonText), nonce, workspace) };
  }

  #keyOf(workspace: string): Buffer {
    const dataKey = this.#keyring.dataKey(workspace);
    if (dataKey === undefined) throw new Error(`There is no data key to open a value of workspace ${workspace}`);
    return dataKey;
  }
}
