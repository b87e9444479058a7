// Creates an API key: makes its text here, sends only its hash to the log, and returns it only in the answer.
import { keyIdOf } from '../../../../domain/workspace/api-keys/api-keys.ts';
import type { ApiKeyCommand, KeySettings, Scope } from '../../../../domain/workspace/api-keys/messages.ts';
import type { Command } from '../../commands/commands.ts';
import { refusalProblem } from '../../commands/refusals.ts';
import { hasScope, hashApiKey } from '../../control/api-keys.ts';
import type { ApiKey } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { forbidden, unavailable, unknownOutcome } from '../../http/api-problem.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { derivedApiKey, hintOf, randomApiKey } from '../../http/new-api-key.ts';
import { presentApiKey } from './api-key-record.dto.ts';
import type { NewApiKeyRecord } from './api-key-record.dto.ts';
import type { CreateApiKeyDto } from './api-keys.dto.ts';

type CreateApiKey = Extract<ApiKeyCommand, { type: 'CreateApiKey' }>;

export async function createApiKey(
  parts: Parts<'access' | 'secrets' | 'commands' | 'ambient'>,
  caller: ApiKey,
  input: CreateApiKeyDto,
  idempotencyKey: string | null,
): Promise<NewApiKeyRecord> {
  const settings = settingsOf(input, caller, parts.ambient.now());
  const { workspace, userId } = caller;
  const key =
    idempotencyKey === null
      ? randomApiKey(parts.ambient.randomBytes)
      : derivedApiKey(parts.secrets.dataKey(workspace), workspace, idempotencyKey);
  const hash = hashApiKey(key);
  const data = { keyId: keyIdOf(hash), userId, hash, hint: hintOf(key), ...settings };
  const command: Command<CreateApiKey> = { type: 'CreateApiKey', key: data.keyId, data };
  const outcome = await parts.commands.send(caller, command, { endings: ['ApiKeyCreated', 'ApiKeyCreateRefused'] });
  if (outcome === undefined) throw unknownOutcome();
  if (outcome.type === 'ApiKeyCreateRefused' && outcome.data.reason !== 'repeated') throw refusalProblem(outcome.data);
  // The tail has delivered the key before the outcome; it is missing only if it was deleted meanwhile.
  const storedKey = parts.access.storedKey(hash);
  if (storedKey === undefined) throw unavailable('The API key was deleted meanwhile.');
  return { ...presentApiKey(storedKey, parts.access.keyUses), key };
}

/** A caller cannot create a key with more scopes, or a later end, than its own. Throws ApiProblem. */
function settingsOf(
  { name, scopes, expires_at: expiresAt }: CreateApiKeyDto,
  caller: ApiKey,
  now: number,
): KeySettings {
  const requestedScopes: readonly Scope[] = scopes ?? caller.scopes;
  const missingScope = requestedScopes.find((scope) => !hasScope(caller, scope));
  if (missingScope !== undefined)
    throw forbidden(`The API key lacks the scope ${missingScope}, and cannot give it to another one.`);
  if (expiresAt !== undefined && expiresAt !== null && expiresAt <= now)
    throw problemsOf([{ field: 'expires_at', message: 'expires_at must be in the future, in epoch milliseconds' }]);
  const expiry = expiresAt ?? caller.expiresAt;
  if (caller.expiresAt !== null && expiry !== null && expiry > caller.expiresAt)
    throw forbidden('The API key expires, and cannot make one that lasts longer.');
  return { name, scopes: [...requestedScopes].sort(), expiresAt: expiry };
}
