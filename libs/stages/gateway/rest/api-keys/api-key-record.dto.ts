// An API key as the API shows it: without the key itself, except in the answer that creates it.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { scopes } from '../../../../domain/workspace/api-keys/messages.ts';
import type { Scope } from '../../../../domain/workspace/api-keys/messages.ts';
import type { KeyUses } from '../../control/access/key-uses.ts';
import type { ApiKey } from '../../control/api-keys.ts';
import { ApiEpochMs, ApiId } from '../../openapi/fields.ts';

@ApiSchema({ name: 'ApiKey' })
export abstract class ApiKeyRecord {
  @ApiId('key')
  abstract readonly id: string;

  @ApiProperty({ type: 'string', example: 'Continuous integration' })
  abstract readonly name: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...scopes] }, example: ['read', 'write'] })
  abstract readonly scopes: readonly Scope[];

  @ApiProperty({
    type: 'string' as const,
    nullable: true,
    example: 'pd_8kQ2',
    description: 'The first characters of the key; null: it was added by an earlier version',
  })
  abstract readonly hint: string | null;

  @ApiEpochMs()
  abstract readonly created_at: number;

  @ApiEpochMs({ nullable: true, description: 'Epoch milliseconds: from then on it is refused; null: never' })
  abstract readonly expires_at: number | null;

  @ApiEpochMs({
    nullable: true,
    description: 'Epoch milliseconds, to the minute; after a restart, and of other gateways, to a day. null: not yet',
  })
  abstract readonly last_used_at: number | null;
}

@ApiSchema({ name: 'CreatedApiKey' })
export abstract class NewApiKeyRecord extends ApiKeyRecord {
  @ApiProperty({
    type: 'string',
    description: 'The key. Only this answer has it, and a repeat with the same Idempotency-Key',
    example: 'pd_8kQ2vYx0LmB4nTzR8kQ2vYx0LmB4nTzR8kQ2vYx0',
  })
  abstract readonly key: string;
}

export const presentApiKey = (key: ApiKey, uses: KeyUses): ApiKeyRecord => ({
  id: key.keyId,
  name: key.name,
  scopes: key.scopes,
  hint: key.hint,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used_at: uses.lastUseOf(key),
});
