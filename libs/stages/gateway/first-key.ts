// Creates the first API key once, and saves it to disk before its hash is on the log: a crash leaves a usable file.
import { createHmac } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ambient } from '../../domain/ambient.ts';
import { derivedId, idBytes, idFromBytes } from '../../domain/id.ts';
import { PortError } from '../../domain/port-error.ts';
import { wrapKey } from '../../domain/workspace/keyring.ts';
import { keyBytes, nonceBytes } from '../../domain/secrets/seal.ts';
import type { CreateWorkspace } from '../../domain/workspace/messages.ts';
import { chainFrom } from '../../domain/trace/chain.ts';
import type { Log } from '../../log/log.ts';
import { createDurably } from '../../primitives/files/durable-file.ts';
import { makeFolder } from '../../primitives/files/folder.ts';
import { readText } from '../../primitives/files/read-text.ts';
import { hashApiKey, type KeyOwner } from './control/api-keys.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { hintOf, isApiKey, randomApiKey } from './http/new-api-key.ts';
import { newRequestId } from './commands/new-request-id.ts';

/** Lifecycle needs milliseconds; the rest is for its start, and for a long log that it must read first. */
const usableMs = 5 * 60_000;
/** After this time without an outcome the command is sent again: it is idempotent. */
const resendMs = 5_000;
const pollMs = 10;

export interface FirstKeyOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** The workspace and the user that the key belongs to. */
  readonly owner: KeyOwner;
  /** Whether this key's hash and the workspace's data key are on the log. */
  readonly isUsable: (hash: string) => boolean;
  /** Whether its owner has deleted it: then neither this key nor another one is made usable. */
  readonly wasDeleted: (hash: string) => boolean;
  readonly logger: Pick<GatewayOptions['logger'], 'warn'>;
}

/** The first workspace and user: the same at every gateway and start of an installation, unique to the installation. */
export function firstOwnerOf(masterKey: Buffer): KeyOwner {
  const secret = createHmac('sha256', masterKey).update('first workspace').digest('hex');
  return { workspace: derivedId('o', 'first', secret), userId: derivedId('u', 'first', secret) };
}

/** The path of the first API key's file. */
const firstKeyFile = (dataDir: string): string => join(dataDir, 'api-key');

/**
 * Resolves with the key's hash once the key can be used, or if it was deleted; a key that cannot be used yet needs a
 * running lifecycle. Without the file a new key is made, and the old one stays valid.
 */
export async function prepareFirstKey(options: FirstKeyOptions): Promise<string> {
  const file = firstKeyFile(options.dataDir);
  const key = (await readKey(file)) ?? (await createKey(options, file));
  const hash = hashApiKey(key);
  if (options.wasDeleted(hash)) {
    options.logger.warn(
      { file },
      'the API key in the file is deleted: remove the file for a new one at the next start',
    );
    return hash;
  }
  const deadline = performance.now() + usableMs;
  while (!options.isUsable(hash)) {
    if (performance.now() > deadline) {
      throw new Error(`The first API key was not accepted within ${usableMs / 60_000} minutes: is lifecycle running?`);
    }
    await sendCreateWorkspace(options, key);
    if (!(await waitUntilUsable(() => options.isUsable(hash), resendMs)))
      options.logger.warn({}, 'waiting for lifecycle to accept the first API key');
  }
  return hash;
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const key = text.trim();
  if (!isApiKey(key)) {
    throw new PortError(
      'corrupt',
      `${file} does not hold an API key (pd_ and 40 letters or digits). ` +
        'Put the key back, or delete the file so that a new one is made.',
    );
  }
  await chmod(file, 0o600);
  return key;
}

/** Gateways that start at the same time with the same directory all get the key of one of them. */
async function createKey({ ambient, dataDir }: FirstKeyOptions, file: string): Promise<string> {
  await makeFolder(dataDir, 0o700);
  return (await createDurably(file, `${randomApiKey(ambient.randomBytes)}\n`, 0o600)).trim();
}

async function sendCreateWorkspace({ log, ambient, masterKey, owner }: FirstKeyOptions, key: string): Promise<void> {
  const { workspace, userId } = owner;
  const nonce = ambient.randomBytes(nonceBytes);
  const requestId = newRequestId(ambient);
  const record: CreateWorkspace = {
    id: idFromBytes('cmd', ambient.randomBytes(idBytes)),
    type: 'CreateWorkspace',
    version: 1,
    key: workspace,
    data: {
      name: 'Default workspace',
      userId,
      username: 'owner',
      email: 'owner@localhost',
      apiKeyHash: hashApiKey(key),
      apiKeyHint: hintOf(key),
      dataKey: wrapKey(masterKey, ambient.randomBytes(keyBytes), nonce, workspace),
    },
    at: ambient.now(),
    workspace,
    ...chainFrom(requestId, 'gateway'),
  };
  try {
    await log.request({ topic: 'commands', partition: 0, record });
  } catch (error) {
    if (!(error instanceof PortError && error.retryable)) throw error;
  }
}

async function waitUntilUsable(isUsable: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!isUsable() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, pollMs));
  return isUsable();
}
