// The parameters that every request accepts.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { QueryForms } from './query-text.ts';

/** Field names of a record are short and few. */
const fieldListCharsMax = 1_000;
const idCharsMax = 100;

export class AnyRequestDto {
  static readonly queryForms: QueryForms = {};

  @ApiPropertyOptional({ type: String, description: 'Names of the only fields to answer with, separated by commas' })
  @IsOptional()
  @IsString()
  @MaxLength(fieldListCharsMax)
  readonly include?: string;

  @ApiPropertyOptional({ type: String, description: 'Names of fields to leave out, separated by commas' })
  @IsOptional()
  @IsString()
  @MaxLength(fieldListCharsMax)
  readonly exclude?: string;

  @ApiPropertyOptional({ type: String, description: 'The workspace; the one of the API key when absent' })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly org_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Older name of `org_id`' })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly workspace_id?: string;
}
