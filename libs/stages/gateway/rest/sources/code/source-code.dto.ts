// The code of a source as the API shows it.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiId } from '../../../openapi/fields.ts';
import type { ProgramFields } from '../../code/program.presenter.ts';

@ApiSchema({ name: 'SourceCode' })
export abstract class SourceCodeRecord implements ProgramFields {
  @ApiId('dc', { description: 'The source' })
  abstract readonly id: string;

  @ApiId('sc', { description: 'Of the saved component with this code, if there is one' })
  abstract readonly component_id: string;

  @ApiProperty({ type: 'string', description: 'SHA-256 of the code, in hex' })
  abstract readonly code_hash: string;

  @ApiProperty({ type: 'string', description: "Its source text, as it was deployed: the entry file's" })
  abstract readonly code: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The path of the entry file', example: null })
  abstract readonly entry: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: 'All its files by path, as they can be sent again; null: it was deployed as one text',
    example: null,
  })
  abstract readonly files: Readonly<Record<string, string>> | null;
}
