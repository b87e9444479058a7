// The parameters of a list that can be searched.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PagingDto } from './paging.dto.ts';

/** As long as a name. */
export const searchCharsMax = 255;

export class SearchDto extends PagingDto {
  @ApiPropertyOptional({
    type: String,
    maxLength: searchCharsMax,
    description: 'A part of the name, id or URL, in any case; it is looked for in the newest 2,000 records',
  })
  @MaxLength(searchCharsMax)
  @IsString()
  @IsOptional()
  readonly q?: string | null;
}
