// Encrypts and decrypts the secrets of a workspace with the workspace's data key.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Json } from '../../../domain/json.ts';
import { nonceBytes, seal, sealBytes, unseal } from '../../../domain/secrets/seal.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { KeyringFollower } from '../control/keyring-follower.ts';
import { unavailable } from '../http/api-problem.ts';

/** Every method throws ApiProblem 503 while the workspace's key is not known. */
export class WorkspaceSecrets {
  readonly #keyring: Pick<KeyringFollower, 'dataKey'>;
  readonly #randomBytes: Ambient['randomBytes'];

  constructor(keyring: Pick<KeyringFollower, 'dataKey'>, { randomBytes }: Pick<Ambient, 'randomBytes'>) {
    this.#keyring = keyring;
    this.#randomBytes = randomBytes;
  }

  dataKey(workspace: string): Buffer {
    const key = this.#keyring.dataKey(workspace);
    if (key === undefined) throw unavailable('The data key of this workspace is not on the log.');
    return key;
  }

  seal(workspace: string, value: Json): Sealed {
    return seal(this.dataKey(workspace), value, this.#randomBytes(nonceBytes), workspace);
  }

  sealBytes(workspace: string, bytes: Buffer): Sealed {
    return sealBytes(this.dataKey(workspace), bytes, this.#randomBytes(nonceBytes), workspace);
  }

  unseal(workspace: string, sealed: Sealed): Json {
    return unseal(this.dataKey(workspace), sealed, workspace);
  }
}
