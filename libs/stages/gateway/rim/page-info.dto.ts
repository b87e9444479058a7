// Where a page of a list stands among the others.
import { ApiProperty } from '@nestjs/swagger';
import { countMax } from '../../../view-store/view-store.ts';

export abstract class PageInfo {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: countMax,
    description: `Of all pages, counted up to ${countMax}`,
  })
  abstract readonly total_count: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Of this page' })
  abstract readonly count: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `before`; null when the page is empty' })
  abstract readonly start_cursor: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'For `after`; null when the page is empty' })
  abstract readonly end_cursor: string | null;
}
