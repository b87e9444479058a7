// The shape of every refusal, as the OpenAPI document describes it.
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ConsoleRecord } from './console.dto.ts';
import { exampleId } from './fields.ts';

@ApiSchema({ name: 'Problem' })
export abstract class ProblemRecord {
  @ApiProperty({ type: 'string', description: 'The parameter, or the prop when the code is `props_invalid`' })
  abstract readonly field: string;

  @ApiProperty({ type: 'string', description: 'A sentence for people' })
  abstract readonly message: string;
}

@ApiSchema({
  name: 'ErrorDetails',
  description: 'What a program can use of an error; which fields there are depends on the code',
})
export abstract class ErrorDetailsRecord {
  @ApiPropertyOptional({ type: [ProblemRecord], description: '`invalid_request`, `props_invalid`: all that is wrong' })
  abstract readonly problems?: readonly ProblemRecord[];

  @ApiPropertyOptional({
    type: 'string',
    example: exampleId('dc'),
    description: 'A refused deploy: the source, which can be got and is in no list',
  })
  abstract readonly source_id?: string;

  @ApiPropertyOptional({ type: 'string', description: 'A refused deploy: the name of the component error' })
  abstract readonly name?: string;

  @ApiPropertyOptional({ type: 'string', description: 'A refused deploy: the message of the component error' })
  abstract readonly message?: string;

  @ApiPropertyOptional({ type: 'string' })
  abstract readonly stack?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'In the deployed text' })
  abstract readonly line?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  abstract readonly column?: number;

  @ApiPropertyOptional({ type: [ConsoleRecord], description: 'What the component wrote until then' })
  abstract readonly console?: readonly ConsoleRecord[];

  @ApiPropertyOptional({
    type: 'string',
    description: '`unavailable`: the record that was made but cannot be shown yet',
  })
  abstract readonly id?: string;

  @ApiPropertyOptional({ type: 'string', description: '`not_found`: the parameter that names what does not exist' })
  abstract readonly field?: string;

  @ApiPropertyOptional({ type: 'string', description: '`not_found`: what kind of record does not exist' })
  abstract readonly record?: string;

  @ApiPropertyOptional({
    type: 'string',
    description: '`not_provable`: the checkpoint whose records are not all there',
  })
  abstract readonly checkpoint?: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'A proof of consistency that is too long: the last checkpoint that one proof reaches',
  })
  abstract readonly nearest?: string | null;
}

@ApiSchema({ name: 'Error' })
export abstract class ErrorRecord {
  @ApiProperty({ type: 'string', description: 'For people', example: 'limit must be an integer number.' })
  abstract readonly error: string;

  @ApiProperty({
    type: 'string',
    description: 'For programs; docs/api.md lists the codes, and more may come',
    example: 'invalid_request',
  })
  abstract readonly code: string;

  @ApiPropertyOptional({ type: ErrorDetailsRecord })
  abstract readonly details?: ErrorDetailsRecord;
}
