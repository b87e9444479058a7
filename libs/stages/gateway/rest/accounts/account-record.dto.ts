// An account as the API shows it (docs/reference/component-api.md, "Accounts and apps as records").
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ApiId } from '../../openapi/fields.ts';

const exampleTime = '2026-11-23T12:00:00.000Z';

@ApiSchema({ name: 'AccountApp' })
export abstract class AccountAppRecord {
  @ApiId('app')
  abstract readonly id: string;

  @ApiProperty({ type: 'string', description: 'Slug, as in `app` of an app prop', example: 'github' })
  abstract readonly name_slug: string;

  @ApiProperty({ type: 'string', example: 'GitHub' })
  abstract readonly name: string;
}

@ApiSchema({ name: 'Account' })
export abstract class AccountRecord {
  @ApiId('apn', { description: 'What `authProvisionId` of an app prop names' })
  abstract readonly id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Our bot' })
  abstract readonly name: string | null;

  @ApiProperty({ type: AccountAppRecord })
  abstract readonly app: AccountAppRecord;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the credentials: what components read of `$auth`',
    example: ['oauth_access_token'],
  })
  abstract readonly credential_fields: readonly string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Only with `include_credentials=1`, for an API key that may write',
  })
  abstract readonly credentials?: Readonly<Record<string, string>>;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  abstract readonly created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  abstract readonly updated_at: string;
}
