// The parameters of a list that can be searched.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { PagingDto } from './paging.dto.ts';

/** As long as a name. */
export const searchCharsMax = 255;

/** Finds records with exactly this text. Null counts as absent. `charsMax`: in UTF-16 units. */
export const ExactText = (charsMax: number, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: charsMax, description }),
    MaxLength(charsMax),
    MinLength(1),
    IsString(),
    IsOptional(),
  );

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
