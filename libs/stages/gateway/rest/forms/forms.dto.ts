// The parameters with which a form asks for the options of a prop, or for the props that apply to the values so far.
import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { ApiAnyJson } from '../../openapi/fields.ts';
import { CodeReferenceDto } from '../code/code-reference.dto.ts';
import { PropValues } from '../sources/sources.dto.ts';

/** A longer name of a prop is a mistake. */
const nameCharsMax = 255;
/** A person types it. */
const queryCharsMax = 1_000;
/** With ten options on each, more than anybody looks through. */
const pageMax = 1_000_000;
const idCharsMax = 255;

@ApiSchema({ name: 'SourcePropsRequest' })
export class SourcePropsDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { configured_props: 'json' };

  @PropValues('Values so far, by prop name; of a deployed source those that are not given are its own')
  readonly configured_props?: JsonObject | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: idCharsMax,
    description: 'Of an earlier answer. It is taken and not needed: the values say which props there are',
  })
  @IsOptional()
  @IsString()
  @MaxLength(idCharsMax)
  readonly dynamic_props_id?: string | null;
}

@ApiSchema({ name: 'SourceConfigureRequest' })
export class SourceConfigureDto extends SourcePropsDto {
  static override readonly queryForms: QueryForms = {
    ...SourcePropsDto.queryForms,
    page: 'integer',
    prev_context: 'json',
  };

  @ApiProperty({ type: String, maxLength: nameCharsMax, description: 'The prop whose options are asked for' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(nameCharsMax)
  readonly prop_name!: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, maximum: pageMax, default: 0 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(pageMax)
  readonly page?: number | null;

  @ApiAnyJson({ required: false, description: 'The `context` of the page before, as it was answered' })
  @IsOptional()
  readonly prev_context?: Json;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: queryCharsMax,
    description: 'What is searched for, if the prop has `useQuery`',
  })
  @IsOptional()
  @IsString()
  @MaxLength(queryCharsMax)
  readonly query?: string | null;
}

@ApiSchema({ name: 'ComponentPropsRequest' })
export class ComponentPropsDto extends IntersectionType(SourcePropsDto, CodeReferenceDto) {
  static readonly queryForms: QueryForms = { ...SourcePropsDto.queryForms, ...CodeReferenceDto.queryForms };
}

@ApiSchema({ name: 'ComponentConfigureRequest' })
export class ComponentConfigureDto extends IntersectionType(SourceConfigureDto, CodeReferenceDto) {
  static readonly queryForms: QueryForms = { ...SourceConfigureDto.queryForms, ...CodeReferenceDto.queryForms };
}
