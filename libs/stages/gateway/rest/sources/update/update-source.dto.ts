// The parameters of `PUT /v1/sources/ID` and `DELETE /v1/sources/ID`.
import { ApiPropertyOptional, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { noRateLimit } from '../../../../../domain/source/source-settings.ts';
import type { JsonObject } from '../../../../../domain/json.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import type { QueryForms } from '../../../http/input/query-text.ts';
import { CodeReferenceDto } from '../../code/code-reference.dto.ts';
import { EmitOnDeploy, Setting, settingForms } from '../source-settings.ts';
import { PropValues, SourceName } from '../sources.dto.ts';

@ApiSchema({ name: 'DeleteSourceRequest' })
export class DeleteSourceDto extends AnyRequestDto {
  static override readonly queryForms: QueryForms = { ignore_hook_errors: 'boolean' };

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    default: false,
    description: 'true: a hook `deactivate` that throws does not stop it',
  })
  @IsOptional()
  @IsBoolean()
  readonly ignore_hook_errors?: boolean | null;
}

/** A field that is absent or null stays unchanged. */
@ApiSchema({ name: 'UpdateRequest' })
export class UpdateSourceDto extends IntersectionType(DeleteSourceDto, CodeReferenceDto) {
  static readonly queryForms: QueryForms = {
    ...DeleteSourceDto.queryForms,
    active: 'boolean',
    configured_props: 'json',
    ...CodeReferenceDto.queryForms,
    ...settingForms,
  };

  @PropValues('Values by prop name; null takes one away, one that is not named keeps its own')
  readonly configured_props?: JsonObject | null;

  @SourceName()
  readonly name?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'false: no endpoint and no ticks, after its hook `deactivate`; true: again, after `activate`',
  })
  @IsOptional()
  @IsBoolean()
  readonly active?: boolean | null;

  @Setting('timeoutMs', 'The longest that a run may take')
  readonly timeout_ms?: number | null;

  @Setting('memoryMb', "Of the source's isolate")
  readonly memory_mb?: number | null;

  @Setting('rateLimit', 'Requests to its endpoint a second that each gateway process takes; 0: any', noRateLimit)
  readonly rate_limit?: number | null;

  @Setting('concurrency', 'How many of its runs may be under way at once')
  readonly concurrency?: number | null;

  @EmitOnDeploy()
  readonly emit_on_deploy?: boolean | null;
}
