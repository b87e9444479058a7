// The user of an API key as the API shows them.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiId } from '../../openapi/fields.ts';

@ApiSchema({ name: 'Workspace' })
export abstract class WorkspaceRecord {
  @ApiId('o')
  abstract readonly id: string;

  @ApiProperty({ type: 'string', example: 'Default workspace' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string', description: 'The name as a slug', example: 'default-workspace' })
  abstract readonly orgname: string;

  @ApiProperty({ type: 'string' })
  abstract readonly email: string;
}

@ApiSchema({ name: 'User' })
export abstract class UserRecord {
  @ApiId('u')
  abstract readonly id: string;

  @ApiProperty({ type: 'string', example: 'owner' })
  abstract readonly username: string;

  @ApiProperty({ type: 'string' })
  abstract readonly email: string;

  @ApiProperty({ type: [WorkspaceRecord] })
  abstract readonly orgs: readonly WorkspaceRecord[];
}
