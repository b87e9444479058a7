// The position of a page in its list.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export abstract class PageInfo {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of records on all pages; the distributed engine counts up to 1,000,000',
  })
  abstract readonly total_count: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of records on this page' })
  abstract readonly count: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `before`; null when the page is empty' })
  abstract readonly start_cursor: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `after`; null when the page is empty' })
  abstract readonly end_cursor: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    format: 'int64',
    description:
      'Of a search whose page ends before it is full, as a request looks at so many records at most: the time of the last one, epoch ms. `end_cursor` (`start_cursor` with `before`) continues from there.',
  })
  abstract readonly searched_to_ms?: number;

  @ApiPropertyOptional({
    enum: [true],
    type: 'boolean',
    description:
      'The page has ended before its limit, since its records are large. `end_cursor` (`start_cursor` with `before`) continues from there.',
  })
  abstract readonly has_more?: true;
}
