// The parameters of `GET /v1/sources` and `POST /v1/sources`.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional } from 'class-validator';
import type { JsonObject } from '../../../../domain/json.ts';
import { settingBounds } from '../../../../domain/source/source-settings.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { OptionalName } from '../../http/input/name.ts';
import type { QueryForms } from '../../http/input/query-text.ts';
import { ExactText, SearchDto } from '../../http/pages/search.dto.ts';
import { CodeReferenceDto } from '../code/code-reference.dto.ts';
import { EmitOnDeploy, Setting, settingForms } from './source-settings.ts';

const nameCharsMax = 255;
/** Longer than a name in requests, since a component can declare a longer one. */
const soughtCharsMax = 1_000;

/** The name of a source. */
export const SourceName = (description?: string): PropertyDecorator =>
  OptionalName(nameCharsMax, description === undefined ? {} : { description });

/** The configured props of a source. */
export const PropValues = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, description }),
    IsObject(),
    IsOptional(),
  );

const { timeoutMs, memoryMb, concurrency } = settingBounds;

@ApiSchema({ name: 'DeployRequest' })
export class DeploySourceDto extends IntersectionType(AnyRequestDto, CodeReferenceDto) {
  static readonly queryForms: QueryForms = {
    configured_props: 'json',
    ...CodeReferenceDto.queryForms,
    ...settingForms,
  };

  @ApiPropertyOptional({
    enum: ['component', 'channel'],
    nullable: true,
    default: 'component',
    description: 'channel: without code; its events are published. It takes a name, and nothing else',
  })
  @IsOptional()
  @IsIn(['component', 'channel'])
  readonly kind?: 'component' | 'channel' | null;

  @SourceName("Default: the component's; a channel needs one")
  readonly name?: string | null;

  @PropValues('Values by prop name')
  readonly configured_props?: JsonObject | null;

  @Setting('timeoutMs', `The longest that a run may take; default: ${timeoutMs.default}`)
  readonly timeout_ms?: number | null;

  @Setting('memoryMb', `Of the source's isolate; default: ${memoryMb.default}`)
  readonly memory_mb?: number | null;

  @Setting('rateLimit', 'Requests to its endpoint a second, on average, that each gateway process takes; default: any')
  readonly rate_limit?: number | null;

  @Setting('concurrency', `How many of its runs may be under way at once; default: ${concurrency.default}`)
  readonly concurrency?: number | null;

  @EmitOnDeploy()
  readonly emit_on_deploy?: boolean | null;
}

@ApiSchema({ name: 'SourcesRequest' })
export class SourcesDto extends SearchDto {
  @ExactText(soughtCharsMax, 'Only those with exactly this name; not with `name_slug`')
  readonly name?: string | null;

  @ExactText(soughtCharsMax, 'Only the one with this slug; not with `name`')
  readonly name_slug?: string | null;
}
