// The position of a page in its list.
import { ApiProperty } from '@nestjs/swagger';

export abstract class PageInfo {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Of all pages; the distributed engine counts up to 1,000,000',
  })
  abstract readonly total_count: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Of this page' })
  abstract readonly count: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `before`; null when the page is empty' })
  abstract readonly start_cursor: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `after`; null when the page is empty' })
  abstract readonly end_cursor: string | null;
}
