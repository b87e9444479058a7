// The parameters of every list.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AnyRequestDto } from '../input/any-request.dto.ts';
import type { QueryForms } from '../input/query-text.ts';

/** docs/reference/component-api.md, "REST records". */
export const limitDefault = 10;
export const limitMax = 100;
/** The longest cursor is that of a delivery: three ids. */
const cursorCharsMax = 300;

export class PagingDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { limit: 'integer' };

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(limitMax)
  readonly limit?: number;

  @ApiPropertyOptional({ type: String, description: '`end_cursor` of the page before' })
  @IsOptional()
  @IsString()
  @MaxLength(cursorCharsMax)
  readonly after?: string;

  @ApiPropertyOptional({ type: String, description: '`start_cursor` of the page after' })
  @IsOptional()
  @IsString()
  @MaxLength(cursorCharsMax)
  readonly before?: string;
}
