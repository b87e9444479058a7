// The parameters of `POST /v1/api_keys`.
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { scopes } from '../../../../domain/workspace/api-keys/messages.ts';
import type { Scope } from '../../../../domain/workspace/api-keys/messages.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { RequiredName } from '../../http/input/name.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { millisMax } from '../../../../domain/message.ts';

const nameCharsMax = 255;

@ApiSchema({ name: 'NewApiKeyRequest' })
export class CreateApiKeyDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { expires_at: 'integer', scopes: 'json' };

  @RequiredName(nameCharsMax, { example: 'Continuous integration' })
  readonly name: string = '';

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...scopes] },
    nullable: true,
    minItems: 1,
    // Not `uniqueItems`: clients in Java do not compile with it.
    description:
      '`read`: GET and HEAD; `write`: every other method; `audit`: history alone; each once. Absent: those of the key that asks',
  })
  @IsOptional()
  @IsArray()
  @IsIn(scopes, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(scopes.length)
  @ArrayMinSize(1)
  readonly scopes?: readonly Scope[] | null;

  @ApiPropertyOptional({
    type: 'integer' as const,
    format: 'int64',
    nullable: true,
    minimum: 1,
    description: 'Epoch milliseconds, in the future; null: it does not expire',
  })
  @IsOptional()
  @Max(millisMax)
  @Min(1)
  @IsInt()
  readonly expires_at?: number | null;
}
