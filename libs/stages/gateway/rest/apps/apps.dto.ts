// The parameters of `GET /v1/apps`.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PagingDto } from '../../http/pages/paging.dto.ts';

const flags = ['1', '0'] as const;
type Flag = (typeof flags)[number];
const searchCharsMax = 255;

const Only = (what: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ enum: flags, description: `1: only those that ${what} of the workspace name` }),
    IsIn(flags),
    IsOptional(),
  );

@ApiSchema({ name: 'AppsRequest' })
export class AppsDto extends PagingDto {
  @ApiPropertyOptional({
    type: String,
    maxLength: searchCharsMax,
    description: 'A part of the name or slug, in any case',
  })
  @MaxLength(searchCharsMax)
  @IsString()
  @IsOptional()
  readonly q?: string | null;

  @Only('components')
  readonly has_components?: Flag | null;

  @Only('sources')
  readonly has_triggers?: Flag | null;

  @Only('saved actions')
  readonly has_actions?: Flag | null;
}
