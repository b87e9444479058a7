// A saved component as the API shows it (docs/reference/component-api.md, "Saved components as records").
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiEpochSeconds, ApiId } from '../../openapi/fields.ts';
import { PropRecord } from '../code/prop-record.dto.ts';

@ApiSchema({ name: 'ComponentSummary' })
export abstract class ComponentSummaryRecord {
  @ApiId('sc', { description: 'The same code in a workspace has the same one' })
  abstract readonly id: string;

  @ApiId('u', { description: 'Who saved it first' })
  abstract readonly user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: "The component's own: its versions share it",
    example: 'acme-new-order',
  })
  abstract readonly key: string | null;

  @ApiProperty({ type: 'string', example: 'New Order' })
  abstract readonly name: string;

  @ApiProperty({ type: 'string', description: "The component's own", example: '0.1.0' })
  abstract readonly version: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Emits an event for each order' })
  abstract readonly description: string | null;

  @ApiProperty({ type: 'boolean', description: 'Sources are deployed from it by its `key`' })
  abstract readonly published: boolean;

  @ApiProperty({ type: 'string', description: 'SHA-256 of the code, in hex' })
  abstract readonly code_hash: string;

  @ApiProperty({ type: [PropRecord] })
  abstract readonly configurable_props: readonly PropRecord[];

  @ApiEpochSeconds()
  abstract readonly created_at: number;

  @ApiEpochSeconds()
  abstract readonly updated_at: number;
}

@ApiSchema({ name: 'Component' })
export abstract class ComponentRecord extends ComponentSummaryRecord {
  @ApiProperty({ type: 'string', description: "Its source text, as it was saved: the entry file's" })
  abstract readonly code: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The path of the entry file', example: null })
  abstract readonly entry: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: 'All its files by path, as they can be sent again; null: it was saved as `component_code`',
    example: null,
  })
  abstract readonly files: Readonly<Record<string, string>> | null;
}
