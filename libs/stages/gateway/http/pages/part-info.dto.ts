// The position of a part of something that is read in bounded steps and whose total is not known.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export abstract class PartInfo {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of records on this page' })
  abstract readonly count: number;

  @ApiProperty({
    type: 'string',
    description: 'For `after`. Always present: send it later to get what has been added since',
  })
  abstract readonly end_cursor: string;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether more may be behind `end_cursor` now; true after any number of records, also none',
  })
  abstract readonly has_more: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    description:
      'How far was looked, epoch ms: the time of the last record that was read; with `correlation_id` and without `to`, once `has_more` is false, the end of the time that is searched',
  })
  abstract readonly searched_to_ms?: number;
}
