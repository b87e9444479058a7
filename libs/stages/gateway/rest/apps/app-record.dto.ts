// An app as the API shows it (docs/reference/component-api.md, "Accounts and apps as records").
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiId } from '../../openapi/fields.ts';

@ApiSchema({ name: 'App' })
export abstract class AppRecord {
  @ApiId('app')
  abstract readonly id: string;

  @ApiProperty({ type: 'string', example: 'github' })
  abstract readonly name_slug: string;

  @ApiProperty({ type: 'string', example: 'GitHub' })
  abstract readonly name: string;

  @ApiProperty({
    enum: ['oauth', 'keys'],
    nullable: true,
    description: 'null: it needs no account, or what its components read is not known',
    example: 'oauth',
  })
  abstract readonly auth_type: 'oauth' | 'keys' | null;

  @ApiProperty({
    type: 'string',
    description:
      'JSON array of `{ name, label, description, default, optional, type }`: what an account should hold. `type` is `password` or `string`',
    example: '[{"name":"api_key","label":"Api key","optional":false,"type":"password"}]',
  })
  abstract readonly custom_fields_json: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the workspace has a source, or a saved source, that names it' })
  abstract readonly has_triggers: boolean;

  @ApiProperty({ type: 'boolean', description: 'The same of saved actions' })
  abstract readonly has_actions: boolean;
}
