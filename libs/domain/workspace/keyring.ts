// The data keys of all workspaces, unwrapped in memory from the topic `keys`.
import { createHash } from 'node:crypto';
import type { LogRecord } from '../message.ts';
import type { WrappedKey } from './messages.ts';
import { decrypt, encrypt, keyBytes } from '../secrets/seal.ts';

/** Wraps a new data key; `nonce` is drawn by the caller. */
export function wrapKey(masterKey: Buffer, dataKey: Buffer, nonce: Buffer, workspace: string): WrappedKey {
  const keyId = createHash('sha256').update(dataKey).digest('hex').slice(0, 16);
  return { keyId, wrapped: encrypt(masterKey, dataKey, nonce, workspace) };
}

export class WrongMasterKeyError extends Error {
  /** `what`: the thing that does not open. */
  constructor(what: string) {
    super(
      `The master key does not open the ${what}. ` +
        'Start with the MASTER_KEY (or the file master-key in the data directory) that this log was made with.',
    );
    this.name = 'WrongMasterKeyError';
  }
}

const dataKeyOf = (workspace: string): string => `data key of workspace ${workspace}`;

/** `closed`: the workspace's newest key cannot be unwrapped, so none of its values can be decrypted. */
export type KeyState = 'known' | 'not_read_yet' | 'erased' | 'closed';

/** For callers that report that a workspace's data cannot be decrypted. */
export const closedKeyMessage = (workspace: string): string =>
  `The data key of workspace ${workspace} does not open: its record on the log is damaged. ` +
  'Nothing that was sealed for it can be used. Bring the topic keys back as it was.';

export class Keyring {
  readonly #masterKey: Buffer;
  readonly #dataKeys = new Map<string, Buffer>();
  readonly #missing = new Map<string, 'erased' | 'closed'>();

  constructor(masterKey: Buffer) {
    this.#masterKey = masterKey;
  }

  /** Adds a record of `keys`. Throws WrongMasterKeyError. */
  accept(record: LogRecord): void {
    if (this.tryAccept(record) === 'closed') throw new WrongMasterKeyError(dataKeyOf(record.workspace));
  }

  /** Adds a record of `keys` without throwing, because one damaged key says nothing about the others. */
  tryAccept({ workspace, data }: LogRecord): Exclude<KeyState, 'not_read_yet'> {
    this.#missing.delete(workspace);
    const dataKey = data === null || data === undefined ? undefined : this.#unwrap(data as WrappedKey, workspace);
    if (dataKey !== undefined) {
      this.#dataKeys.set(workspace, dataKey);
      return 'known';
    }
    const state = data === null || data === undefined ? 'erased' : 'closed';
    this.#dataKeys.delete(workspace);
    this.#missing.set(workspace, state);
    return state;
  }

  /** Throws WrongMasterKeyError when there are keys but none can be unwrapped. */
  check(): void {
    if (this.#dataKeys.size > 0) return;
    const [closed] = this.closed;
    if (closed !== undefined) throw new WrongMasterKeyError(dataKeyOf(closed));
  }

  /** Workspaces whose key does not open. */
  get closed(): readonly string[] {
    return [...this.#missing].filter(([, state]) => state === 'closed').map(([workspace]) => workspace);
  }

  /** Undefined: not read yet, erased, or closed. */
  dataKey(workspace: string): Buffer | undefined {
    return this.#dataKeys.get(workspace);
  }

  stateOf(workspace: string): KeyState {
    if (this.#dataKeys.has(workspace)) return 'known';
    return this.#missing.get(workspace) ?? 'not_read_yet';
  }

  #unwrap({ wrapped }: WrappedKey, workspace: string): Buffer | undefined {
    try {
      const dataKey = decrypt(this.#masterKey, wrapped, workspace);
      return dataKey.length === keyBytes ? dataKey : undefined;
    } catch {
      return undefined;
    }
  }
}
