// The data keys of all workspaces, unwrapped in memory from the topic `keys`.
import { createHash } from 'node:crypto';
import type { LogRecord } from '../message.ts';
import type { WrappedKey } from '../workspace/messages.ts';
import { decrypt, encrypt } from './seal.ts';

/** Wraps a new data key; `nonce` is drawn by the caller. */
export function wrapKey(masterKey: Buffer, dataKey: Buffer, nonce: Buffer, workspace: string): WrappedKey {
  const keyId = createHash('sha256').update(dataKey).digest('hex').slice(0, 16);
  return { keyId, wrapped: encrypt(masterKey, dataKey, nonce, workspace) };
}

export class WrongMasterKeyError extends Error {
  constructor(workspace: string) {
    super(
      `The master key does not open the data key of workspace ${workspace}. ` +
        'Start with the MASTER_KEY (or the file master-key in the data directory) that this log was made with.',
    );
    this.name = 'WrongMasterKeyError';
  }
}

export class Keyring {
  readonly #masterKey: Buffer;
  readonly #dataKeys = new Map<string, Buffer>();

  constructor(masterKey: Buffer) {
    this.#masterKey = masterKey;
  }

  /** Takes a record of `keys`. Throws WrongMasterKeyError. */
  accept(record: LogRecord): void {
    if (record.data === null) {
      this.#dataKeys.delete(record.workspace);
      return;
    }
    try {
      const { wrapped } = record.data as WrappedKey;
      this.#dataKeys.set(record.workspace, decrypt(this.#masterKey, wrapped, record.workspace));
    } catch {
      throw new WrongMasterKeyError(record.workspace);
    }
  }

  /** Undefined: not read yet, or erased. */
  dataKey(workspace: string): Buffer | undefined {
    return this.#dataKeys.get(workspace);
  }
}
